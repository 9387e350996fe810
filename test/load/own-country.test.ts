import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { examine } from '../../src/core/doctor/examine.js'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, mint, startService, type Service } from '../support/service.js'
import { collection, feature, number, quiet, rectangle, temporaryFolder } from './files.js'

/**
 * A country has ten by ten cells from its corner, in hundredths of a degree. It lies far from the fixture and the other
 * one.
 */
type Country = { west: number; south: number; firstId: (column: number) => number }
const built: Country = { west: 900, south: 800, firstId: (column) => 9800 * 36_000 + 18_900 + column }
const imported: Country = { west: 3000, south: -2000, firstId: (column) => 1 + column }

/** The members that an answer of the calls below may have. */
type Data = {
  id: string
  admin: object
  features: unknown[]
  length: number
  frames: { datasets: { layerId: string; values?: object; features?: unknown[] }[] }[]
  facets: { label: string; value: string }[]
}

const lonLat = ({ west, south }: Country, x: number, y: number): [number, number] => [
  (west + x) / 100,
  (south + y) / 100,
]

describe('your own country', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let key: Record<string, string>
  let env: Record<string, string>

  before(async () => {
    database = await newDatabase()
    const { ownerTarget, db } = database
    env = settingsFor(ownerTarget)
    const { orgId } = await createOrganisation(db, 'Survey office', 'scale')
    const { secret } = await mint(db, { org: orgId })
    key = bearer(secret)
    service = await startService(database)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** Runs a command in this process: docs/commands.test.ts runs the lines of docs/load.md in a shell. */
  const said = async (...words: string[]) => {
    const { status, out, err } = await frames(words, env)
    assert.equal(status, 0, err)
    return out
  }

  const sites = (country: Country) =>
    collection([
      ...[1, 2, 3].map((id) =>
        feature(id, { type: 'Point', coordinates: lonLat(country, id + 0.5, 0.5) }, { depth: id }),
      ),
      feature('corner', { type: 'Point', coordinates: lonLat(country, 5, 5) }),
    ])

  const makers: [how: string, country: Country, make: () => Promise<string>][] = [
    [
      'a grid built from an outline and wards',
      built,
      async () => {
        const wards = [0, 1].map((n) => ({
          State: 'Plateau',
          LGA: 'Highland',
          Ward: n === 0 ? 'North Slope' : 'South Slope',
          Longitude: 9.05,
          Latitude: n === 0 ? 8.08 : 8.02,
        }))
        const outline = folder.write('outline.geojson', JSON.stringify(rectangle(900, 800, 910, 810)))
        return await said('build', '--outline', outline, '--wards', folder.write('wards.json', JSON.stringify(wards)))
      },
    ],
    [
      'a grid of your own, imported',
      imported,
      async () => {
        const cells = Array.from({ length: 100 }, (_, at) => {
          const [x, y] = [3000 + (at % 10), -2000 + Math.floor(at / 10)]
          const unit = { state: 'Plateau', lga: 'Highland', ward: y < -1995 ? 'South Slope' : 'North Slope' }
          return feature(at + 1, rectangle(x, y, x + 1, y + 1), unit)
        })
        return await said('import', 'frames', folder.write('grid.geojson', collection(cells)))
      },
    ],
  ]

  for (const [how, country, make] of makers) {
    describe(how, () => {
      const ids = Array.from({ length: 5 }, (_, column) => String(country.firstId(column)))
      const data = async (path: string, body?: object) => {
        const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
        const headers = { ...key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
        const answer = await ask(service.url + path, { headers, ...asked })
        assert.equal(answer.status, 200, `${path}: ${answer.text}`)
        return (answer.body as { data: Data }).data
      }

      it('replaces the index before it', async () => {
        assert.match(await make(), /^Generation \d+ is being served: 100 frames/)
      })

      const take = (kind: string, file: string, id: string, name: string) =>
        said('import', kind, file, '--id', id, '--name', name, '--category', 'Physical', '--org', 'Survey office')

      it('takes a baseline, and features of every kind', async () => {
        const rows = folder.write('rows.csv', `frame,depth\n${ids.map((id, i) => `${id},${i * 10}`).join('\n')}\n`)
        const wells = folder.write('wells.geojson', sites(country))
        assert.equal(
          await take('baseline', rows, 'lyr_wells', 'Wells'),
          'lyr_wells is being served: 5 frames.\n  depth (number, summary mean): 5 values, from 0 to 40, total 100. ' +
            'All are whole numbers: if they count something, give summary "sum" with --attributes.\n',
        )
        assert.equal(
          await take('features', wells, 'lyr_well_sites', 'Well sites'),
          'lyr_well_sites is being served: 4 points.\n',
        )
        const line = { type: 'LineString', coordinates: [lonLat(country, 0.5, 0.5), lonLat(country, 3.5, 0.5)] }
        const land = rectangle(country.west - 5, country.south - 5, country.west + 3.5, country.south + 0.5)
        const shapes: [id: string, shape: object, joins: number][] = [
          ['lyr_tracks', line, 4],
          ['lyr_lands', land, 4],
        ]
        for (const [id, shape, joins] of shapes) {
          await take('features', folder.write(`${id}.geojson`, JSON.stringify(feature(1, shape))), id, `Name of ${id}`)
          const joined = `select count(*)::int as n from feature_frame join dataset using (version) where layer_id = '${id}'`
          assert.equal(await number(database.db, joined), joins, id)
        }
      })

      it('answers every call', async () => {
        const [lon, lat] = lonLat(country, 1.5, 0.5)
        const at = await data(`/v1/frames/at?lat=${lat}&lon=${lon}`)
        assert.deepEqual([at.id, at.admin], [ids[1], { state: 'PLATEAU', lga: 'HIGHLAND', ward: 'SOUTH SLOPE' }])
        const { west, south } = country
        const box = [west, south, west + 10, south + 10].map((hundredths) => hundredths / 100).join()
        for (const [chosen, count] of [
          [`bbox=${box}`, 100],
          ['state=plateau', 100],
          ['state=plateau&lga=highland', 100],
          ['state=plateau&lga=highland&ward=south%20slope', 50],
        ] as const) {
          const { features } = await data(`/v1/frames?${chosen}`)
          assert.equal(features.length, count, chosen)
        }
        assert.equal((await data(`/v1/frames?ids=${ids.join()}`)).length, 5)
        assert.deepEqual(await data('/v1/states'), [{ state: 'PLATEAU', frames: 100 }])
        assert.equal((await data('/v1/lgas?state=plateau')).length, 1)
        assert.equal((await data('/v1/wards?state=plateau')).length, 2)
        assert.ok(await data('/v1/frames/admin?state=plateau'))
        const read = await data(`/v1/frames/data?ids=${ids.join()}`)
        assert.deepEqual(
          read.frames[1]?.datasets.map(({ layerId, values, features }) => [layerId, values ?? features?.length]),
          [
            ['lyr_lands', 1],
            ['lyr_tracks', 1],
            ['lyr_well_sites', 1],
            ['lyr_wells', { depth: '10' }],
          ],
        )
        const told = await data('/v1/frames/insight', {
          frameIds: ids,
          question: 'How many well sites are there?',
        })
        assert.deepEqual(
          told.facets.filter(({ label }) => label === 'Well sites'),
          [{ label: 'Well sites', value: '3' }],
        )
      })

      it('leaves the doctor content, in every check', async () => {
        const report = await examine(database.db, { isEmbedded: false, isThorough: true, progress: quiet })
        // The server of the tests is not safe from crashes, on purpose.
        const wrong = report.findings.filter(({ severity, check }) => severity === 'wrong' && check !== 'settings')
        assert.deepEqual(wrong, [])
      })

      if (country === imported) return

      it('is shown by "frames sql" and "frames explain", and written by "frames export"', async () => {
        for (const call of ['/v1/frames?state=plateau', `/v1/frames/data?ids=${ids.join()}`]) {
          assert.match(await said('sql', `GET ${call}`, '--org', 'Survey office'), /^select|^with/m)
          assert.match(await said('explain', `GET ${call}`, '--org', 'Survey office'), /Index/)
        }
        const file = `${folder.write('x', '')}-${country.south}.geojsonl`
        await said('export', '--state', 'plateau', file)
        assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, 100)
      })
    })
  }
})
