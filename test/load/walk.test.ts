/** A country from five files of five kinds, by the five lines of docs/load.md. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { blocks, page, pasted, section } from '../docs/curls.js'
import { frames, settingsFor, wordsOf } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { mint, startService } from '../support/service.js'
import { collection, feature, rectangle, temporaryFolder } from './files.js'
import { tiff } from './tiff.js'

const LINE = 'npm run -s frames -- '

describe('a country from five files of five kinds', function () {
  this.timeout(180_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let cwd: string
  before(async () => {
    database = await newDatabase('empty')
    cwd = dirname(folder.write('outline.json', collection([feature(1, rectangle(0, 0, 40, 10))])))
    const ward = (west: number, name: string) =>
      feature(name, rectangle(west, 0, west + 10, 10), { State: 'Alpha', LGA: west < 20 ? 'West' : 'East', Ward: name })
    folder.write('wards.json', collection([ward(0, 'A'), ward(10, 'B'), ward(20, 'C'), ward(30, 'D')]))
    folder.write(
      'people.tif',
      tiff({ width: 40, height: 10, bands: [Array(400).fill(3)], place: [0, 0.1, 0.01, 0.01] }),
    )
    folder.write(
      'clinics.json',
      collection([feature('one', { type: 'Point', coordinates: [0.005, 0.005] }, { beds: 4 })]),
    )
    folder.write('budget.csv', 'ward,budget\nA,100\nB,200\nC,300\nD,400\n')
    const lines = [
      'ogr2ogr -t_srs EPSG:32631 outline.gpkg outline.json',
      'ogr2ogr -t_srs EPSG:3857 wards.shp wards.json',
      'python3 -m zipfile -c wards.zip wards.shp wards.shx wards.dbf wards.prj',
      'ogr2ogr -t_srs EPSG:3857 clinics.fgb clinics.json',
      'ogr2ogr budget.xlsx budget.csv',
    ]
    await promisify(execFile)('sh', ['-ec', lines.join('\n')], { cwd })
  })
  after(() => database.drop())

  it('comes to the people within 5 km of a clinic', async () => {
    const { db } = database
    const [block = ''] = blocks(section(page('docs/load.md'), '## From five files to an answer'), 'text')
    const lines = block.trim().split('\n')
    assert.equal(lines.length, 5)
    const { orgId } = await createOrganisation(db, 'Survey office', 'trial')
    for (const line of lines.filter((each) => each.startsWith(LINE))) {
      const { status, err } = await frames(
        wordsOf(line.slice(LINE.length)).map((word) => (/^\w+\.\w+$/.test(word) ? join(cwd, word) : word)),
        settingsFor(database.ownerTarget),
      )
      assert.equal(status, 0, `${line}\n${err}`)
    }
    const running = await startService(database)
    try {
      const { secret } = await mint(db, { org: orgId })
      const answer = await pasted(lines.at(-1) ?? '', running.url, { KEY: secret })
      const { data } = JSON.parse(answer) as {
        data: { confidence: string; facets: { label: string; value: string }[] }
      }
      // The middles of frames up to 5 km, by the ellipsoid of WGS 84 as PROJ has it.
      const [near] = await db.rows<{ frames: number }>(
        `select count(*)::int as frames from frame
         where ST_Distance(ST_PointOnSurface(geom)::geography, ST_Point(0.005, 0.005, 4326)::geography) <= 5000`,
        [],
      )
      assert.ok(near && near.frames > 10)
      assert.deepEqual(
        [data.confidence, data.facets[0]?.value.split(' ')[0]],
        ['exact', String(near.frames * 3)],
        answer,
      )
    } finally {
      await running.stop()
    }
  })
})
