import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { license } from '../../src/core/access/licences.js'
import { parse } from 'csv-parse/sync'
import sqlite from 'node-sqlite3-wasm'
import type { PageAnswer, Visitor } from '../support/browse.js'
import { credit } from '../support/datasets.js'
import { service } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { organisation, type Organisation } from './organisation.js'
import { unescaped } from './pages.js'
import { rows } from './visitors.js'

const WARD = '?state=MAREMBE&lga=LAKESIDE&ward=LAKE+ISLAND'
const FRAMES = '?frames=322074005%2C322074006'

type Row = Record<string, string | number | bigint | null | undefined>
type Feature = { id: string; properties: Row }
const rowsOf = (text: string) => parse<Record<string, string>>(text, { columns: true })
const featuresOf = (text: string) => (JSON.parse(text) as { features: Feature[] }).features

/** The rows of the layer of a GeoPackage. */
function framesIn(bytes: Uint8Array): Row[] {
  const file = join(newFolder('taken'), 'frames.gpkg')
  writeFileSync(file, bytes)
  const db = new sqlite.Database(file, { readOnly: true })
  const found = db.all('select * from frame order by fid') as Row[]
  db.close()
  return found
}

const TYPES: Record<string, RegExp> = { csv: /^text\/csv/, gpkg: /^application\/geopackage\+sqlite3$/ }
/** Reads the rows of a file of each format. */
const FORMATS: Record<string, (answer: PageAnswer) => Row[] | Promise<Row[]>> = {
  csv: ({ text }) => rowsOf(text),
  geojson: ({ text }) => featuresOf(text).map(({ id, properties }) => ({ frame_id: id, ...properties })),
  parquet: async ({ bytes }) => (await parquetReadObjects({ file: new Uint8Array(bytes).buffer })) as Row[],
  gpkg: ({ bytes }) => framesIn(bytes),
}

describe('the frames that a person takes along', () => {
  let org: Organisation
  let member: Visitor
  beforeEach(async () => {
    org = await organisation()
    await org.buys(3)
    member = await org.enter('Ada', 'member')
  })

  const open = async (place: string) => {
    const { status, text } = await member.get(`/app/take${place}`)
    assert.equal(status, 200, text)
    return text
  }
  const fieldsOf = (page: string): Record<string, string> =>
    Object.fromEntries(
      Array.from(
        page.matchAll(/type="hidden"\s+name="(place|request)"\s+value="([^"]*)"/g),
        ([, name = '', value = '']) => [name, unescaped(value)],
      ),
    )
  const take = async (page: string, over: Record<string, string | string[]> = {}) =>
    await member.post('/app/take', { ...fieldsOf(page), format: 'csv', dataset: ['lyr_population'], ...over })

  it('are all those of a unit, with the values of the datasets that were ticked', async () => {
    const page = await open(WARD)
    assert.match(page, /Take along: download 273 frames/)
    assert.doesNotMatch(page, /lyr_market/)
    const answer = await take(page, { dataset: ['lyr_population', 'lyr_schools'] })
    assert.equal(answer.status, 200)
    const found = rowsOf(answer.text)
    assert.equal(found.length, 273)
    const [sum] = await rows<{ people: string; schools: string }>(
      `select (select sum((recorded->>'pop_demest26')::numeric)::text from baseline_row join dataset using (version) join frame using (frame_id)
               where layer_id = 'lyr_population' and ward = 'LAKE ISLAND') as people,
              (select count(*)::text from feature_frame join dataset using (version) join frame using (frame_id)
               where layer_id = 'lyr_schools' and ward = 'LAKE ISLAND') as schools`,
    )
    const total = (name: string) => found.reduce((all, row) => all + Number(row[name]), 0)
    assert.equal(total('lyr_population.pop_demest26'), Number(sum?.people))
    assert.equal(total('lyr_schools.features'), Number(sum?.schools))
    assert.ok(found.every(({ ward, west, east }) => ward === 'LAKE ISLAND' && Number(west) < Number(east)))
  })

  it('count all features of a frame, also more than an answer of the API holds', async () => {
    const [fullest] = await rows<{ id: string; features: number }>(
      `select frame_id::text as id, count(*)::int as features from feature_frame join dataset using (version)
       where layer_id = 'lyr_stalls' group by frame_id order by count(*) desc limit 1`,
    )
    assert.ok(fullest && fullest.features > 200)
    const [row] = rowsOf((await take(await open(`?frames=${fullest.id}`), { dataset: ['lyr_stalls'] })).text)
    assert.equal(Number(row?.['lyr_stalls.features']), fullest.features)
  })

  /** test/export looks at the types, the geometries and the metadata of each. */
  it('are the same in every format', async () => {
    const page = await open(WARD)
    const taken = (format: string) => take(page, { format, dataset: ['lyr_population', 'lyr_terrain', 'lyr_schools'] })
    const written = rowsOf((await taken('csv')).text)
    const names = Object.keys(written[0] ?? {}).filter((name) => !/^(west|south|east|north)$/.test(name))
    assert.ok(names.length > 8)
    // A file of types has numbers for "1.0" and blanks for what is absent.
    const values = (row: Row) => names.map((name) => String(Number(row[name]) || (row[name] ?? '')))
    for (const [format, read] of Object.entries(FORMATS)) {
      const answer = await taken(format)
      assert.equal(answer.headers['content-disposition'], `attachment; filename="frames-273.${format}"`)
      assert.match(answer.headers['content-type'] ?? '', TYPES[format] ?? /^application\//, format)
      assert.deepEqual((await read(answer)).map(values), written.map(values), format)
    }
  })

  it('have the bounds of modelled values, which belong to what is free and to what is paid', async () => {
    const bounds = await rows<{ lower: number; upper: number }>(
      `select lower::float8 as lower, upper::float8 as upper from frame_interval join dataset using (version)
       where layer_id = 'lyr_population' and attribute = 'pop_demest26' and frame_id in (322074005, 322074006) order by frame_id`,
    )
    assert.equal(bounds.length, 2)
    const names = ['lyr_population.pop_demest26_lower', 'lyr_population.pop_demest26_upper']
    for (const price of [null, 1]) {
      if (price !== null) await license(service().db.run, 'lyr_population', org.orgId, price)
      const page = await open(FRAMES)
      assert.equal(/<strong>1 credit<\/strong>/.test(page), price !== null)
      for (const [format, read] of Object.entries(FORMATS))
        assert.deepEqual(
          (await read(await take(page, { format }))).map((row) => names.map((name) => Number(row[name]))),
          bounds.map(({ lower, upper }) => [lower, upper]),
          format,
        )
      assert.equal(await org.balance(), 3 - (price ?? 0))
    }
  })

  it('have the price of a dataset that costs, and the balance beside it, and charge a form once', async () => {
    const page = await open(FRAMES)
    assert.match(page, /Markets and shops [^]*<strong>2 credits<\/strong>/)
    assert.match(page, /The organisation has 3 credits\./)
    assert.equal((await take(page)).status, 200)
    assert.equal(await org.balance(), 3)
    for (let times = 0; times < 2; times += 1) {
      const answer = await take(page, { dataset: ['lyr_market'] })
      assert.equal(answer.status, 200)
      assert.match(answer.text, /^frame_id,[^\n]*lyr_market\./)
      assert.equal(await org.balance(), 1)
    }
    const refused = await take(await open(FRAMES), { dataset: ['lyr_market'] })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /The credits do not cover it\. The organisation has 1 credit\./)
    // A form pays once, for what was ticked then.
    await credit(service().db, org.orgId, 20)
    await license(service().db.run, 'lyr_reserves', org.orgId, 4)
    await take(page, { dataset: ['lyr_market', 'lyr_reserves'] })
    assert.equal(await org.balance(), 21)
    // A ward has more frames than a call takes: nothing of the dataset is in its file.
    const forged = await take(page, { dataset: ['lyr_market'], place: WARD, request: 'x.1.y' })
    assert.doesNotMatch(forged.text, /lyr_market/)
    assert.equal((await take(page, { dataset: ['lyr_market'], request: 'x.1.y' })).status, 422)
    assert.equal(await org.balance(), 21)
  })

  it('cost nothing where their file cannot be made', async () => {
    const page = await open(FRAMES)
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = '/nowhere'
    try {
      assert.equal((await take(page, { dataset: ['lyr_market'], format: 'gpkg' })).status, 503)
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
    assert.equal(await org.balance(), 3)
    assert.equal((await take(page, { dataset: ['lyr_market'], format: 'gpkg' })).status, 200)
    assert.equal(await org.balance(), 1)
  })

  it('are those of the condition of an answer, which its link names, and questions and statements go on with them', async () => {
    const asked = await member.get('/app/ask?state=MAREMBE&question=how+many+frames+have+more+than+1000+people')
    const [count] = await rows<{ frames: number }>(
      `select count(*)::int as frames from frame join baseline using (frame_id)
       where layer_id = 'lyr_population' and state = 'MAREMBE' and plain_number(recorded ->> 'pop_demest26') > 1000`,
    )
    const frames = `${count?.frames} frames`
    assert.ok(asked.text.includes(`${count?.frames} of 6,474 frames`))
    const linked = (name: string) => unescaped(new RegExp(`href="([^"]*)"[^>]*>${name}<`).exec(asked.text)?.[1] ?? '')
    const page = await member.get(linked('Take the frames of the condition along'))
    assert.ok(page.text.includes(`<h1>Take along: download ${frames}</h1>`), page.text)
    const file = await member.post('/app/take', { ...fieldsOf(page.text), format: 'csv', dataset: 'lyr_population' })
    const people = rowsOf(file.text).map((row) => Number(row['lyr_population.pop_demest26']))
    assert.equal(people.length, count?.frames)
    assert.ok(people.every((number) => number > 1000))
    const map = `${linked('Ask on about them')}&question=how+many+people`
    const { text } = await member.get(map)
    assert.ok(
      text.includes(people.reduce((sum, number) => sum + number).toLocaleString('en')),
      'the map asks about them',
    )
    assert.match(text, /are about the frames of a condition/)
    assert.ok(unescaped(text).includes('"above":"1000"'), 'the statements have the condition')
  })

  it('are of no other condition than that of an answer, on what the organisation reads at no cost', async () => {
    const statusOf = async (where: unknown) =>
      (await member.get(`/app/take?where=${encodeURIComponent(JSON.stringify(where))}`)).status
    const people = { of: 'lyr_population', name: 'pop_demest26' }
    const refused: readonly [number, unknown][] = [
      [200, { not: { ...people, below: 9000 } }],
      [404, { of: 'lyr_market', above: 0 }],
      [404, { any: [{ ...people, above: 9000 }, { not: { of: 'lyr_market', above: 0 } }] }],
      [400, { ...people, minus: { of: 'lyr_market', name: 'shops' }, above: 0 }],
      [400, { of: 'lyr_population', figure: { of: { subject: { of: 'lyr_market' } } }, above: 0 }],
      [400, { near: 'lyr_market', metres: 10 }],
      [400, { of: 'lyr_schools', where: { of: 'lyr_market', above: 0 }, above: 0 }],
      [400, { of: 'lyr_schools', where: { all: [{ on: { of: 'lyr_market', above: 0 } }] }, above: 0 }],
      [400, { units: 'lga', figure: { of: { subject: { of: 'lyr_market' } } } }],
      [400, 'people'],
    ]
    for (const [status, where] of refused) assert.equal(await statusOf(where), status, JSON.stringify(where))
  })

  it('are those of a box that the index has, and there is no file of none or in another format', async () => {
    assert.ok(rowsOf((await take(await open('?box=0.201,0.101,0.219,0.119'))).text).length > 3)
    const some = await open('?frames=322074005,999,998')
    assert.equal(rowsOf((await take(some)).text).length, 1)
    const made = await take(some, { place: '?frame=999' })
    assert.match(made.text, /The index has no frame 999\./)
    assert.equal(made.headers['content-disposition'], undefined)
    assert.equal((await take(some, { format: 'xlsx' })).status, 400)
  })

  it('hold nothing that the organisation may not read', async () => {
    const answer = await take(await open(FRAMES), { dataset: ['lyr_private', 'lyr_reserves'] })
    assert.doesNotMatch(answer.text, /lyr_/)
  })
})
