/** A dry run of each kind of import, and of a build. */
import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { frames, settingsFor } from '../support/cli.js'
import { collection, feature, rectangle, temporaryFolder } from './files.js'
import { first, ownGrid } from './imports.js'
import { tiff } from './tiff.js'

const folder = temporaryFolder()
const south = rectangle(20, 10, 30, 15)
const unit = { state: 'Alpha', lga: 'Middle', ward: 'South' }
const line = { type: 'LineString', coordinates: [0.201, 0.239].map((lon) => [lon, 0.105]) }
const pixels = { width: 10, height: 10, bands: [Array.from({ length: 100 }, (_, i) => i)] }

const wards = '[{"State":"Alpha","LGA":"Middle","Ward":"South","Latitude":0.12,"Longitude":0.25}]'

/** What a person types, and the file. The first import of a kind makes a dataset, the next replaces it; an index comes last. */
const IMPORTS: [typed: string, file: string | Buffer][] = [
  ['import baseline rows.csv', `frame_id,people,cover\n${first},7,wood\n${Number(first) + 1},9,sand\n`],
  [
    'import baseline soils.geojson --from shapes --as majority --property soil',
    collection([feature(1, south, { soil: 'clay' })]),
  ],
  ['import baseline budget.csv --by ward --spread evenly', 'ward,budget\nSouth,10\nNorth,25\n'],
  ['import raster people.tif --as sum', tiff({ ...pixels, place: [0.2, 0.2, 0.01, 0.01] })],
  ['import features roads.geojson --no-distances', collection([feature('a', line, { name: 'A' })])],
  ['import features clinics.csv', 'id,lon,lat,beds\na,0.205,0.105,3\nb,0.5,0.5,4\n'],
  ['import frames grid.geojson', collection([feature(1, south, unit)])],
  [`build --wards ${folder.write('wards.json', wards)} --outline outline.geojson`, collection([feature(1, south)])],
]

/** A hash of all rows of each table, in any schema, and of each view of analysts. */
async function content(db: Database): Promise<Record<string, string>> {
  const tables = await db.rows<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
       and (relkind = 'r' or (relkind = 'v' and relnamespace::regnamespace::text = 'analyst'))`,
    [],
  )
  const hashes = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${name} as t`,
  )
  const rows = await db.rows<{ name: string; hash: string }>(hashes.join(' union all '), [])
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

describe('a dry run reports what the same command then does, and changes no table', function () {
  this.timeout(120_000)
  const grid = ownGrid()
  after(() => folder.remove())

  for (const [typed, file] of IMPORTS)
    it(typed.replace(/ \S*wards\.json/, ' wards.json'), async () => {
      const [, kind] = /^import (baseline|raster|features)/.exec(typed) ?? []
      const about = kind ? ['--id', `lyr_${kind}`, '--name', kind, '--category', 'Physical', '--org', grid.orgId] : []
      const words = typed.replace(/(?<= )\w+\.(csv|geojson|tif)/, (name) => folder.write(name, file)).split(' ')
      const run = async (...more: string[]) => {
        const settings = settingsFor(grid.database.ownerTarget)
        const { status, out, err } = await frames([...words, ...about, '--json', ...more], settings)
        assert.equal(status, 0, err)
        const { version: _version, generation: _generation, ...made } = JSON.parse(out) as Record<string, unknown>
        return made
      }
      const before = await content(grid.db)
      const dry = await run('--dry-run')
      assert.deepEqual(await content(grid.db), before)
      assert.deepEqual(dry, { ...(await run()), isDryRun: true })
      assert.notDeepEqual(await content(grid.db), before)
    })
})
