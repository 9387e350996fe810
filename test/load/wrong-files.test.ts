import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import { geojsonToWkb, parquetWriteBuffer } from 'hyparquet-writer'
import { projectFolder } from '../../src/core/db/statement.js'
import { build, wardSource } from '../../src/tools/load/build.js'
import { type Attribute, completeCatalogue, readCatalogue } from '../../src/tools/load/catalogue.js'
import { FileFault } from '../../src/core/text-file/file-fault.js'
import { featureFile } from '../../src/tools/load/feature-file.js'
import { areaText } from '../../src/tools/load/geojson-shape.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { featureSource, importFeatures } from '../../src/tools/load/import-features.js'
import { frameFeature, importFrames } from '../../src/tools/load/import-frames.js'
import { intervalReader } from '../../src/tools/load/intervals.js'
import { jsonValues } from '../../src/core/text-file/json-values.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { quiet, rectangle, stateOf, temporaryFolder } from './files.js'
import { first, importGrid } from './imports.js'

/**
 * A line a file: what reads it, its name, its text (or its bytes, as Latin-1, or what a GeoParquet file has), and the
 * sentence that its owner reads, or what is taken of it.
 * "catalogue depth,width" is one for a file of these columns, "baseline draws" a file with that catalogue. A word after
 * a kind of features has it loaded into a database, where only PostgreSQL finds the fault.
 */
type WrongFile = [
  reader: string,
  name: string,
  text: string | { latin1: string } | GeoParquet,
  sentence: string | { taken: unknown[] },
]
const lines = readFileSync(new URL('test/load/wrong-files.jsonl', projectFolder), 'utf8').trimEnd().split('\n')
const wrongFiles = lines.map((line) => JSON.parse(line) as WrongFile)

/** A column of shapes has GeoJSON, or bytes as text of hexadecimal digits. `cut` bytes of the file are kept. */
type GeoParquet = { columns: Record<string, unknown[]>; geo?: unknown; cut?: number }
const GEO = { version: '1.1.0', primary_column: 'geometry', columns: { geometry: { encoding: 'WKB' } } }

function parquetOf({ columns, geo = GEO, cut }: GeoParquet): Buffer {
  const shape = (value: unknown) =>
    typeof value === 'string' ? Buffer.from(value, 'hex') : value === null ? null : geojsonToWkb(value as never)
  const columnData = Object.entries(columns).map(([name, data]) =>
    name === 'geometry' ? { name, data: data.map(shape), type: 'BYTE_ARRAY' as const } : { name, data },
  )
  const value = typeof geo === 'string' ? geo : JSON.stringify(geo)
  const kvMetadata = geo === null ? [] : [{ key: 'geo', value }]
  return Buffer.from(parquetWriteBuffer({ columnData, kvMetadata })).subarray(0, cut)
}

const bytesOf = (text: WrongFile[2]) =>
  typeof text === 'string' ? text : 'latin1' in text ? Buffer.from(text.latin1, 'latin1') : parquetOf(text)

type Load = (path: string, about: string) => unknown

/** The kind of the first feature is that of the dataset. */
function featuresOf(path: string) {
  let kind: ReturnType<typeof featureSource>['kind'] | undefined
  return featureFile(path, (value) => {
    const row = featureSource(value, kind)
    kind = row.kind
    return row
  })
}

function catalogueOf(path: string, about: string): void {
  const entries = readCatalogue(path)
  if (!about) return
  const columns = about.split(',')
  intervalReader(columns, entries)
  completeCatalogue(columns, [], { entries, before: [] })
}

const readWhole = (of: (path: string) => AsyncIterable<unknown>) => async (path: string) => {
  const taken: unknown[] = []
  for await (const row of of(path)) taken.push(row)
  return taken
}

/** JSON comes in chunks of any size. */
const READERS: Record<string, Load | Load[]> = {
  catalogue: catalogueOf,
  json: [1, 2, 3, 7, 65536].map((highWaterMark) =>
    readWhole((path) => jsonValues(createReadStream(path, { highWaterMark }))),
  ),
  features: readWhole(featuresOf),
  frames: readWhole((path) => featureFile(path, frameFeature)),
  wards: readWhole((path) => featureFile(path, wardSource, { noun: 'ward' })),
  outline: readWhole((path) => featureFile(path, areaText)),
}

const people = { name: 'people', label: 'People', type: 'number', summary: 'sum' } as const
const CATALOGUES: Record<string, Attribute[]> = {
  draws: [{ ...people, draws: 'runs' }],
  bounds: [{ ...people, lower: 'a', upper: 'b' }],
  weights: [{ ...people, summary: 'weighted_mean', weight: 'homes' }],
}

describe('a file that is not right', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let orgId: string
  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
    orgId = await newOrganisation(database.db)
    await importBaseline(database.db, folder.write('rows.csv', `frame_id,a\n${first},kept\n`), entry('lyr_rows'), quiet)
    await importFeatures(
      database.db,
      folder.write('f.csv', 'id,lon,lat\nkept,0.205,0.105\n'),
      entry('lyr_sites'),
      quiet,
    )
  })
  after(() => database.drop())

  const entry = (layerId: string) => ({ layerId, orgId, name: layerId, category: 'Tests' })
  const square = folder.write('square.geojson', JSON.stringify(rectangle(1000, 500, 1010, 510)))
  const ward = folder.write('ward.csv', 'state,lga,ward,lon,lat\nSouth,Left,Low,10.05,5.05\n')
  const LOADERS: Record<string, Load> = {
    baseline: (path, about) =>
      importBaseline(database.db, path, { ...entry('lyr_rows'), catalogue: CATALOGUES[about] ?? [] }, quiet),
    features: (path) => importFeatures(database.db, path, entry('lyr_sites'), quiet),
    frames: (path) => importFrames(database.db, path, quiet),
    wards: (path) => build(database.db, { outline: square, wards: path }, quiet),
    outline: (path) => build(database.db, { outline: path, wards: ward }, quiet),
  }

  async function holds([reader, name, text, sentence]: WrongFile, load: Load): Promise<void> {
    const what = JSON.stringify(text)
    const path = folder.write(name, bytesOf(text))
    const read = Promise.resolve(path).then((file) => load(file, reader.split(' ')[1] ?? ''))
    if (typeof sentence !== 'string') return assert.deepEqual(await read, sentence.taken, what)
    const fault = await read.then(
      () => assert.fail(`It was taken: ${what}`),
      (error: Error) => error,
    )
    // Node 22 and later say the line and the column of JSON too.
    const said = fault.message.replaceAll(path.slice(0, -name.length), '').replace(/ \(line \d+ column \d+\)$/, '')
    assert.equal(said, sentence, what)
    const [, line = '1'] = /line (\d+)/.exec(sentence) ?? []
    if (fault instanceof FileFault) assert.equal(fault.line, Number(line), what)
  }
  const isLoaded = (reader: string) => /^baseline|^(features|frames|wards|outline) /.test(reader)
  const filesOf = (kind: string, loaded: boolean) =>
    wrongFiles.filter(([reader]) => reader.split(' ')[0] === kind && isLoaded(reader) === loaded)

  for (const [kind, loads] of Object.entries(READERS))
    it(`is refused with where it is wrong, what is accepted and what came: ${kind}`, async () => {
      for (const file of filesOf(kind, false)) for (const load of [loads].flat()) await holds(file, load)
    })

  const kept = async () => [
    await stateOf(database.db),
    await database.db.rows(
      `select string_agg(kept, '|' order by kept) as kept from (
        select dataset::text as kept from dataset union all select baseline_row::text from baseline_row
        union all select feature::text from feature) as every`,
      [],
    ),
  ]
  for (const [kind, load] of Object.entries(LOADERS))
    it(`leaves the index and the datasets as they were: ${kind}`, async () => {
      const asBefore = await kept()
      for (const file of filesOf(kind, true)) {
        await holds(file, load)
        assert.deepEqual(await kept(), asBefore, JSON.stringify(file[3]))
      }
    })
})
