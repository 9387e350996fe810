import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { license } from '../../src/core/access/licences.js'
import { parse } from 'csv-parse/sync'
import sqlite from 'node-sqlite3-wasm'
import type { Visitor } from '../support/browse.js'
import { balanceOf, credit } from '../support/datasets.js'
import { newOrganisation, service } from '../support/service.js'
import { rows, signedIn } from './visitors.js'

const WARD = '?state=MAREMBE&lga=LAKESIDE&ward=LAKE+ISLAND'
const FRAMES = '?frames=322074005%2C322074006'

describe('the frames that a person takes along', () => {
  let orgId: string
  let member: Visitor
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    await license(service().db.run, 'lyr_market', orgId, 2)
    await credit(service().db, orgId, 3)
    member = await signedIn({ orgId, role: 'member' })
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
        ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
      ),
    )
  const take = async (page: string, over: Record<string, string | string[]> = {}) =>
    await member.post('/app/take', { ...fieldsOf(page), format: 'csv', dataset: ['lyr_population'], ...over })
  const rowsOf = (text: string) => parse<Record<string, string>>(text, { columns: true })

  it('are all those of a unit, with the values of the datasets that were ticked', async () => {
    const page = await open(WARD)
    assert.match(page, /Take along 273 frames/)
    assert.doesNotMatch(page, /lyr_market/)
    const answer = await take(page, { dataset: ['lyr_population', 'lyr_schools'] })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="frames-273.csv"')
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
    const map = JSON.parse((await take(page, { format: 'geojson' })).text) as {
      features: { id: string; geometry: { type: string }; properties: Record<string, unknown> }[]
    }
    assert.equal(map.features.length, 273)
    assert.match(map.features[0]?.geometry.type ?? '', /Polygon$/)
    assert.equal(typeof map.features[0]?.properties['lyr_population.pop_demest26'], 'number')
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

  it('are GeoParquet, too, with a type for each column', async () => {
    const page = await open(WARD)
    const datasets = ['lyr_population', 'lyr_terrain', 'lyr_schools']
    const { bytes, headers } = await take(page, { format: 'parquet', dataset: datasets })
    assert.equal(headers['content-disposition'], 'attachment; filename="frames-273.parquet"')
    const file = new Uint8Array(bytes).buffer
    const found = await parquetReadObjects({ file })
    const written = rowsOf((await take(page, { dataset: datasets })).text)
    assert.equal(found.length, written.length)
    for (const [i, row] of written.entries())
      for (const name of [
        'frame_id',
        'ward',
        'lyr_population.pop_demest26',
        'lyr_terrain.phy_landcov',
        'lyr_schools.features',
      ])
        assert.equal(String(found[i]?.[name] ?? ''), row[name], `${name} of ${row['frame_id']}`)
    assert.deepEqual(
      ['frame_id', 'lyr_population.pop_demest26', 'lyr_terrain.phy_landcov'].map((name) => typeof found[0]?.[name]),
      ['bigint', 'bigint', 'string'],
    )
    const geo = parquetMetadata(file).key_value_metadata?.find(({ key }) => key === 'geo')?.value
    assert.equal((JSON.parse(geo ?? '{}') as { version?: string }).version, '1.1.0')
  })

  it('are GeoPackage, too, with the values that CSV has', async () => {
    const page = await open(WARD)
    const datasets = ['lyr_population', 'lyr_terrain', 'lyr_schools']
    const answer = await take(page, { format: 'gpkg', dataset: datasets })
    assert.equal(answer.headers['content-type'], 'application/geopackage+sqlite3')
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="frames-273.gpkg"')
    const written = rowsOf((await take(page, { dataset: datasets })).text)
    assert.deepEqual(
      framesIn(answer.bytes).map(({ fid: _fid, geom: _geom, ...row }) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
      ),
      written.map(({ west: _west, south: _south, east: _east, north: _north, ...row }) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(Number(value) || value)])),
      ),
    )
  })

  /** The rows of the layer of a GeoPackage. */
  function framesIn(bytes: Uint8Array): Record<string, string | number | null>[] {
    const folder = mkdtempSync(join(tmpdir(), 'frames-test-'))
    try {
      writeFileSync(join(folder, 'frames.gpkg'), bytes)
      const db = new sqlite.Database(join(folder, 'frames.gpkg'), { readOnly: true })
      const found = db.all('select * from frame order by fid') as Record<string, string | number | null>[]
      db.close()
      return found
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it('have the bounds of modelled values, which belong to what is free and to what is paid', async () => {
    const bounds = await rows<{ id: string; lower: string; upper: string }>(
      `select frame_id::text as id, trim_scale(lower)::text as lower, trim_scale(upper)::text as upper
       from frame_interval join dataset using (version)
       where layer_id = 'lyr_population' and attribute = 'pop_demest26' and frame_id in (322074005, 322074006) order by frame_id`,
    )
    assert.equal(bounds.length, 2)
    const known = bounds.map(({ lower, upper }) => [Number(lower), Number(upper)])
    const names = ['lyr_population.pop_demest26_lower', 'lyr_population.pop_demest26_upper']
    const boundsOf = (found: Record<string, unknown>[]) => found.map((row) => names.map((name) => Number(row[name])))
    for (const price of [null, 1]) {
      if (price !== null) await license(service().db.run, 'lyr_population', orgId, price)
      const page = await open(FRAMES)
      assert.equal(/<strong>1 credit<\/strong>/.test(page), price !== null)
      assert.deepEqual(boundsOf(rowsOf((await take(page)).text)), known)
      const { features } = JSON.parse((await take(page, { format: 'geojson' })).text) as {
        features: { properties: Record<string, unknown> }[]
      }
      assert.deepEqual(boundsOf(features.map(({ properties }) => properties)), known)
      assert.deepEqual(boundsOf(framesIn((await take(page, { format: 'gpkg' })).bytes)), known)
      const { bytes } = await take(page, { format: 'parquet' })
      assert.deepEqual(boundsOf(await parquetReadObjects({ file: new Uint8Array(bytes).buffer })), known)
      assert.equal(await balanceOf(service().db, orgId), 3 - (price ?? 0))
    }
  })

  it('have the price of a dataset that costs, and the balance beside it, and charge a form once', async () => {
    const page = await open(FRAMES)
    assert.match(page, /Markets and shops [^]*<strong>2 credits<\/strong>/)
    assert.match(page, /The organisation has 3 credits\./)
    assert.equal((await take(page)).status, 200)
    assert.equal(await balanceOf(service().db, orgId), 3)
    for (let times = 0; times < 2; times += 1) {
      const answer = await take(page, { dataset: ['lyr_market'] })
      assert.equal(answer.status, 200)
      assert.match(answer.text, /^frame_id,[^\n]*lyr_market\./)
      assert.equal(await balanceOf(service().db, orgId), 1)
    }
    const refused = await take(await open(FRAMES), { dataset: ['lyr_market'] })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /The credits do not cover it\. The organisation has 1 credit\./)
    // A form pays once, for what was ticked then.
    await credit(service().db, orgId, 20)
    await license(service().db.run, 'lyr_reserves', orgId, 4)
    await take(page, { dataset: ['lyr_market', 'lyr_reserves'] })
    assert.equal(await balanceOf(service().db, orgId), 21)
    const forged = await take(page, { dataset: ['lyr_market'], place: WARD, request: 'x.1.y' })
    // A ward has more frames than a call takes: nothing of the dataset is in its file.
    assert.doesNotMatch(forged.text, /lyr_market/)
    assert.equal((await take(page, { dataset: ['lyr_market'], request: 'x.1.y' })).status, 422)
    assert.equal(await balanceOf(service().db, orgId), 21)
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
    assert.equal(await balanceOf(service().db, orgId), 3)
    assert.equal((await take(page, { dataset: ['lyr_market'], format: 'gpkg' })).status, 200)
    assert.equal(await balanceOf(service().db, orgId), 1)
  })

  it('are those of a box or a list, and no more than a file takes', async () => {
    assert.equal(rowsOf((await take(await open('?box=0.201,0.101,0.219,0.119'))).text).length > 3, true)
    assert.match(await open('?box=-1,-1,1,1'), /A file takes up to 5,000 frames/)
    assert.match(await open('?box=5,5,5.1,5.1'), /No frame of the index lies here/)
    assert.match(await open('?state=nowhere'), /The index has no unit of this name: nowhere/)
    assert.equal((await member.get('/app/take')).status, 400)
    assert.equal((await take(await open(FRAMES), { format: 'xlsx' })).status, 400)
  })

  it('are those that the index has: the page names the others, and makes no file of none', async () => {
    const some = await open('?frames=322074005,999,998')
    assert.match(some, /<h1>Take along 1 frame<\/h1>[\s\S]*The index has no frames 999, 998\./)
    assert.equal(rowsOf((await take(some)).text).length, 1)
    const none = await open('?frame=999')
    assert.match(none, /The index has no frame 999\./)
    assert.doesNotMatch(none, /Download/)
    const made = await take(some, { place: '?frame=999' })
    assert.match(made.text, /The index has no frame 999\./)
    assert.equal(made.headers['content-disposition'], undefined)
  })

  it('hold nothing that the organisation may not read', async () => {
    const page = await open(FRAMES)
    const answer = await take(page, { dataset: ['lyr_private', 'lyr_reserves'] })
    assert.doesNotMatch(answer.text, /lyr_/)
  })
})
