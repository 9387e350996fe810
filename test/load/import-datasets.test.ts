import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/access/organisations.js'
import type { Database } from '../../src/db/connect.js'
import { figuresOfBaselines } from '../../src/db/statements.js'
import { build } from '../../src/load/build.js'
import type { Attribute } from '../../src/load/catalogue.js'
import { importBaseline } from '../../src/load/import-baseline.js'
import { importFeatures } from '../../src/load/import-features.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, fixture, mint, newOrganisation, startService, type Service } from '../support/service.js'
import { number, quiet, temporaryFolder } from './files.js'

const folder = temporaryFolder()
/** Frames of the fixture, side by side. */
const [first, second, third] = ['324378020', '324378021', '324378022']

type Entry = { layerId: string; values?: Record<string, string>; features?: unknown[] }
type Data = { data: { frames: { id: string; datasets: Entry[] }[] } }

describe('importing a dataset', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let db: Database
  let service: Service & { stop: () => Promise<void> }
  let orgId: string
  let key: Record<string, string>

  before(async () => {
    database = await newDatabase('frames')
    db = database.db
    service = await startService(database)
    orgId = await newOrganisation(db)
    key = bearer((await mint(db, { org: orgId })).secret)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const wanted = (layerId: string) => ({ layerId, orgId, name: `Name of ${layerId}`, category: 'Tests' })
  const baseline = (layerId: string, text: string | Buffer, attributes: Attribute[] = []) =>
    importBaseline(db, folder.write('rows.csv', text), { ...wanted(layerId), catalogue: attributes }, quiet)
  const features = (layerId: string, text: string, name = 'features.geojson') =>
    importFeatures(db, folder.write(name, text), wanted(layerId), quiet)
  const recorded = async (ids: string[]) => {
    const answer = await ask(`${service.url}/v1/frames/data?ids=${ids.join()}`, { headers: key })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as Data).data.frames
  }
  const entry = async (id: string, layerId: string) =>
    (await recorded([id]))[0]?.datasets.find((dataset) => dataset.layerId === layerId)

  it('keeps values exactly as stored', async () => {
    const odd = [
      '007',
      '1e5',
      '  x ',
      '',
      'a "quoted" word',
      'a,comma',
      'two\nlines',
      '\u{1F600} é',
      '-0',
      'null',
      '\\n',
      '\t',
    ]
    const cells = odd.map((value) => `"${value.replaceAll('"', '""')}"`)
    const head = odd.map((_, i) => `a${i}`)
    const made = await baseline(
      'lyr_odd',
      `frame,${head.join()}\r\n${first},${cells.join()}\r\n${second},${head.join()}\r\n`,
    )
    assert.deepEqual([made.kind, made.items], ['frames', 2])
    assert.deepEqual(
      (await entry(first, 'lyr_odd'))?.values,
      Object.fromEntries(odd.map((value, i) => [`a${i}`, value])),
    )
    assert.deepEqual((await entry(second, 'lyr_odd'))?.values, Object.fromEntries(head.map((name) => [name, name])))
    assert.equal(await entry(third, 'lyr_odd'), undefined)
  })

  it('takes unquoted odd values, a byte order mark and blank lines', async () => {
    await baseline('lyr_bare', `\uFEFFid,n,t\n\n${first},007,  x \n${second},1e5,y`)
    assert.deepEqual((await entry(first, 'lyr_bare'))?.values, { n: '007', t: '  x ' })
    assert.deepEqual((await entry(second, 'lyr_bare'))?.values, { n: '1e5', t: 'y' })
  })

  it('tells numbers from categories where no catalogue says', async () => {
    await baseline('lyr_told', `id,n,m,t\n${first},1.5,,x\n${second},-2e3,4,5`)
    const rows = await db.rows<{ name: string; type: string; summary: string }>(
      `select name, type, summary from attribute where layer_id = 'lyr_told' order by place`,
      [],
    )
    assert.deepEqual(
      [...rows],
      [
        { name: 'n', type: 'number', summary: 'mean' },
        { name: 'm', type: 'number', summary: 'mean' },
        { name: 't', type: 'category', summary: 'mode' },
      ],
    )
  })

  it('replaces a dataset whole, and leaves no row of the version before', async () => {
    const one = await baseline('lyr_again', `id,a,b\n${first},1,2\n${second},3,4`)
    const two = await baseline('lyr_again', `id,b,c\n${second},5,6\n${third},7,8`)
    assert.ok(Number(two.version) > Number(one.version))
    assert.deepEqual(
      (await recorded([first, second, third])).map(
        ({ datasets }) => datasets.find(({ layerId }) => layerId === 'lyr_again')?.values,
      ),
      [undefined, { b: '5', c: '6' }, { b: '7', c: '8' }],
    )
    assert.equal(await number(db, `select count(*)::int as n from baseline_row where version = ${one.version}`), 0)
    const names = await db.rows<{ name: string }>(
      `select name from attribute where layer_id = 'lyr_again' order by place`,
      [],
    )
    assert.deepEqual(
      names.map(({ name }) => name),
      ['b', 'c'],
    )
  })

  it('gives each import a version of its own, also where the sequence was set back behind the rows', async () => {
    await baseline('lyr_before', `frame_id,a\n${first},kept\n`)
    await db.work(`select setval('dataset_version', 1, false)`)
    const made = await baseline('lyr_after', `frame_id,a\n${first},new\n`)
    assert.deepEqual((await entry(first, 'lyr_before'))?.values, { a: 'kept' })
    assert.deepEqual((await entry(first, 'lyr_after'))?.values, { a: 'new' })
    // Rows of an import that was removed count too.
    await db.work(`insert into baseline_row values (5000, ${second}, '{"a":"of nobody"}')`)
    const next = await baseline('lyr_after', `frame_id,a\n${first},newer\n`)
    assert.ok(Number(next.version) > 5000 && Number(made.version) > 1, next.version)
    const [last] = await db.rows<{ at: string }>('select last_value::text as at from dataset_version', [])
    assert.equal(last?.at, next.version)
    await db.work('delete from baseline_row where version = 5000')
  })

  it('cannot give two datasets one version', async () => {
    await assert.rejects(
      db.work(
        `update dataset set version = (select version from dataset where layer_id = 'lyr_after') where layer_id = 'lyr_before'`,
      ),
      /duplicate key value violates unique constraint "dataset_version_once"/,
    )
  })

  it('lets nobody replace the dataset of another', async () => {
    await baseline('lyr_mine', `id,a\n${first},1`)
    const other = await findOrganisation(db.run, await newOrganisation(db))
    await assert.rejects(
      importBaseline(
        db,
        folder.write('x.csv', `id,a\n${first},2`),
        { ...wanted('lyr_mine'), orgId: other.orgId },
        quiet,
      ),
      /lyr_mine belongs to ".*": only its owner replaces it/,
    )
    assert.deepEqual((await entry(first, 'lyr_mine'))?.values, { a: '1' })
  })

  const bad: [what: string, file: string | Buffer, message: RegExp][] = [
    ['an empty file', '', /line 1: the names of the columns are needed/],
    ['columns and no row', 'id,a\n', /there is no row in it/],
    ['a frame id alone', `id\n${first}\n`, /line 1: a frame id and one attribute at least/],
    ['a column without a name', `id,a, \n${first},1,2\n`, /line 1: column 3 has no name/],
    ['two columns of one name', `id,a,a\n${first},1,2\n`, /line 1: two columns are named "a"/],
    ['an unknown frame', `id,a\n${first},1\n12,2\n`, /line 3: the index knows no frame 12/],
    [
      'a frame given twice',
      `id,a\n${first},1\n${second},1\n${first},2\n`,
      /line 4: frame 324378020 was given already, on line 2/,
    ],
    ['a row too short', `id,a,b\n${first},1,2\n${second},1\n`, /line 3: 3 values are needed, 2 came/],
    ['a row too long', `id,a\n${first},1,2\n`, /line 2: 2 values are needed, 3 came/],
    ['no id', `id,a\n,1\n`, /line 2: a frame id of digits is needed first, "" came/],
    ['an id that is no number', `id,a\nx,1\n`, /line 2: a frame id of digits is needed first, "x" came/],
    ['an id with a leading zero', `id,a\n0${first},1\n`, /line 2: a frame id of digits/],
    ['an id that no bigint holds', `id,a\n9223372036854775808,1\n`, /line 2: a frame id of digits/],
    ['an id with a blank', `id,a\n ${first},1\n`, /line 2: a frame id of digits/],
    [
      'Latin-1',
      Buffer.from(`id,a\n${first},x\n${second},caf\xe9\n`, 'latin1'),
      /line 3: UTF-8 is accepted, this is not/,
    ],
    ['a NUL', `id,a\n${first},x\n${second},\0\n`, /line 3: a NUL character is not accepted/],
    ['UTF-16', Buffer.from(`\uFEFFid,a\n${first},1\n`, 'utf16le'), /line 1: (a NUL|UTF-8)/],
    ['a quote that does not end', `id,a\n${first},"x\n${second},y\n`, /a quoted value has no end/],
    ['a quote in the middle', `id,a\n${first},x"y"z\n`, /line 2: this is not CSV/],
  ]
  for (const [what, text, message] of bad) {
    it(`refuses ${what}, by line, and leaves the dataset as it was`, async () => {
      await baseline('lyr_kept', `id,a\n${first},kept`)
      const rows = await number(db, 'select count(*)::int as n from baseline_row')
      await assert.rejects(baseline('lyr_kept', text), message)
      assert.deepEqual((await entry(first, 'lyr_kept'))?.values, { a: 'kept' })
      assert.equal(await number(db, 'select count(*)::int as n from baseline_row'), rows)
      assert.equal(await number(db, `select count(*)::int as n from pg_namespace where nspname = 'staging'`), 0)
    })
  }

  const weighted = {
    name: 'minutes',
    label: 'Minutes',
    type: 'number',
    summary: 'weighted_mean',
    weight: 'homes',
  } as const

  it('refuses a negative weight by line, and keeps a weight of 0', async () => {
    await assert.rejects(
      baseline('lyr_weighed', `id,minutes,homes\n${first},5,3\n${second},6,-2`, [weighted]),
      /^FileFault: line 3: homes weights an average, so a number of zero or more is needed, and -2 came$/,
    )
    await baseline('lyr_weighed', `id,minutes,homes\n${first},5,3\n${second},6,0`, [weighted])
    const [figure] = (await figuresOfBaselines(db, [first, second], ['lyr_weighed'])).filter(
      ({ name }) => name === 'minutes',
    )
    assert.deepEqual([figure?.frames, figure?.weightedFrames, figure?.weightedMean], [2, 1, '5'])
    const [none] = await figuresOfBaselines(db, [second], ['lyr_weighed'])
    assert.deepEqual([none?.weightedFrames, none?.weightedMean], [0, null])
  })

  it('refuses a weight that is no column', async () => {
    await assert.rejects(
      baseline('lyr_weighed', `id,minutes\n${first},5`, [weighted]),
      /minutes is weighted by homes, which is no column: area or one of minutes is accepted/,
    )
  })

  const classesOf = async (layerId: string) => {
    const rows = await db.rows<{ name: string; value: string; items: number }>(
      `select name, value, items::int as items from class where layer_id = '${layerId}' order by name, value`,
      [],
    )
    return rows.map(({ name, value, items }) => `${name} ${value} ${items}`)
  }

  it('keeps the distinct values of categories, and not those of codes and numbers', async () => {
    const code = { name: 'code', label: 'Code', type: 'category', summary: 'none' } as const
    await baseline('lyr_sorted', `id,n,cover,code\n${first},1, Forest ,a\n${second},2,Forest,b\n${third},3,,c`, [code])
    assert.deepEqual(await classesOf('lyr_sorted'), ['cover Forest 2'])
    await baseline('lyr_sorted', `id,cover\n${first},Mangrove`)
    assert.deepEqual(await classesOf('lyr_sorted'), ['cover Mangrove 1'])
  })

  it('names the first ten faults', async () => {
    const rows = Array.from({ length: 15 }, (_, i) => `${i + 1},x`)
    await assert.rejects(baseline('lyr_ten', `id,a\n${rows.join('\n')}`), (error: Error) => {
      assert.equal(error.message.split('\n').length, 10)
      return /^line 2: .*\nline 3: /.test(error.message)
    })
  })

  const point = (id: string | number, lon: number, lat: number, properties: object | null = {}) =>
    JSON.stringify({ type: 'Feature', id, geometry: { type: 'Point', coordinates: [lon, lat] }, properties })
  const collection = (...all: string[]) => `{"type":"FeatureCollection","features":[${all.join()}]}`

  it('keeps the properties of features, and the values of those that sort them into classes', async () => {
    const all = Array.from({ length: 201 }, (_, i) =>
      point(i, 0.205, 0.105, { name: `School ${i}`, level: i % 2 ? 'Primary' : 'Secondary', pupils: i, blank: ' ' }),
    )
    await features('lyr_taught', collection(...all))
    const properties = await db.rows<{ name: string; type: string; items: number }>(
      `select name, type, items::int as items from property where layer_id = 'lyr_taught' order by name`,
      [],
    )
    assert.deepEqual(
      properties.map(({ name, type, items }) => `${name} ${type} ${items}`),
      ['level category 201', 'name category 201', 'pupils number 201'],
    )
    assert.deepEqual(await classesOf('lyr_taught'), ['level Primary 100', 'level Secondary 101'])
  })

  it('joins features to every frame they intersect: an edge has two, a corner four', async () => {
    const made = await features(
      'lyr_points',
      collection(
        point('in', 0.205, 0.105, { name: 'é' }),
        point('edge', 0.21, 0.105),
        point('corner', 0.21, 0.11),
        point(7, 40, 40),
      ),
    )
    assert.deepEqual([made.kind, made.items], ['points', 4])
    const rows = await db.rows<{ id: string; frames: number }>(
      `select feature_id as id, count(frame_id)::int as frames from feature left join feature_frame using (version, feature_no)
      where version = $1::bigint group by feature_id order by 1`,
      [made.version],
    )
    assert.deepEqual(
      [...rows],
      [
        { id: '7', frames: 0 },
        { id: 'corner', frames: 4 },
        { id: 'edge', frames: 2 },
        { id: 'in', frames: 1 },
      ],
    )
    const found = await entry(first, 'lyr_points')
    assert.deepEqual(
      found?.features?.map((feature) => (feature as { id: string }).id),
      ['corner', 'edge', 'in'],
    )
    assert.deepEqual(found?.features?.at(-1), {
      type: 'Feature',
      id: 'in',
      geometry: { type: 'Point', coordinates: [0.205, 0.105] },
      properties: { name: 'é' },
    })
  })

  it('takes lines, polygons, text sequences, and CSV with lon and lat', async () => {
    const line = {
      type: 'Feature',
      geometry: {
        type: 'LineString',
        coordinates: [
          [0.2, 0.105],
          [0.25, 0.105],
        ],
      },
      properties: null,
    }
    assert.equal((await features('lyr_lines', `\x1e${JSON.stringify(line)}\n`)).kind, 'lines')
    const ring = [
      [0.2, 0.1],
      [0.23, 0.1],
      [0.23, 0.13],
      [0.2, 0.13],
      [0.2, 0.1],
    ]
    const area = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties: { a: 1 } }
    assert.equal((await features('lyr_areas', `${JSON.stringify(area)}\n${JSON.stringify(area)}\n`)).kind, 'polygons')
    const made = await features('lyr_csv', 'id,Lon,name,LAT\n7,0.205,"a, b",0.105\n10,0.206,,0.105\n', 'points.csv')
    assert.deepEqual([made.kind, made.items], ['points', 2])
    assert.deepEqual(
      (await entry(first, 'lyr_csv'))?.features?.map((feature) => feature),
      [
        {
          type: 'Feature',
          id: '7',
          geometry: { type: 'Point', coordinates: [0.205, 0.105] },
          properties: { name: 'a, b' },
        },
        {
          type: 'Feature',
          id: '10',
          geometry: { type: 'Point', coordinates: [0.206, 0.105] },
          properties: { name: '' },
        },
      ],
    )
    assert.equal((await entry(second, 'lyr_lines'))?.features?.length, 1)
    assert.equal((await entry(second, 'lyr_areas'))?.features?.length, 2)
  })

  const badFeatures: [what: string, file: string, message: RegExp, name?: string][] = [
    ['no feature', collection(), /there is no feature in it/],
    ['a truncated file', collection(point(1, 0, 0)).slice(0, -3), /line 1/],
    ['an id given twice', collection(point('a', 0, 0), point('a', 0.1, 0)), /id "a" was given already, by feature 1/],
    [
      'two kinds',
      `${collection(point(1, 0, 0)).slice(0, -2)},{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},"properties":{}}]}`,
      /feature 2 .*the first are points, here are lines/,
    ],
    [
      'no geometry',
      '{"type":"Feature","geometry":null,"properties":{}}',
      /feature 1 \(line 1\): geometry has to be a Point or/,
    ],
    ['swapped coordinates', collection(point(1, 0.1, 100)), /look swapped/],
    ['coordinates in metres', collection(point(1, 500_000, 700_000)), /longitude has to be from -180 to 180/],
    [
      'another CRS',
      `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:3857"}},"features":[${point(1, 0, 0)}]}`,
      /crs has to be WGS 84/,
    ],
    ['NaN', '{"type":"Feature","geometry":{"type":"Point","coordinates":[NaN,0]},"properties":{}}', /feature 1|line 1/],
    [
      'a polygon that crosses itself',
      '{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]},"properties":{}}',
      /not valid: Self-intersection/,
    ],
    ['a NUL in a property', collection(point(1, 0, 0, { a: '\0' })), /NUL character is not accepted/],
    ['CSV without lat', 'id,lon\n1,0\n', /columns named lon and lat are needed; id, lon came/, 'x.csv'],
    ['CSV with a comma decimal', 'lon,lat\n"0,5",1\n', /line 2: lon: a decimal number is needed, "0,5" came/, 'x.csv'],
    ['a ragged CSV', 'lon,lat,a\n0,1\n', /line 2: 3 values are needed, 2 came/, 'x.csv'],
    ['CSV out of range', 'lon,lat\n200,1\n', /line 2: coordinates: longitude has to be/, 'x.csv'],
  ]
  for (const [what, text, message, name] of badFeatures) {
    it(`refuses features with ${what}, and leaves the dataset as it was`, async () => {
      await features('lyr_stays', collection(point('kept', 0.205, 0.105)))
      await assert.rejects(features('lyr_stays', text, name), message)
      const found = await entry(first, 'lyr_stays')
      assert.deepEqual(
        found?.features?.map((feature) => (feature as { id: string }).id),
        ['kept'],
      )
    })
  }

  it('lets readers see the old rows or the new ones, never a mixture', async () => {
    const ids = (
      await db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id limit 100', [])
    ).map(({ id }) => id)
    const csv = (tag: string) => `id,tag\n${ids.map((id) => `${id},${tag}`).join('\n')}`
    await baseline('lyr_turns', csv('v0'))
    const reading = { on: true }
    let reads = 0
    const tags = new Set<string>()
    const reader = async () => {
      while (reading.on) {
        const frames = await recorded(ids)
        const seen = new Set(
          frames.map(({ datasets }) => datasets.find(({ layerId }) => layerId === 'lyr_turns')?.values?.['tag']),
        )
        assert.equal(seen.size, 1, [...seen].join())
        tags.add([...seen][0] ?? 'none')
        reads += 1
      }
    }
    const readers = Promise.all([reader(), reader(), reader()])
    for (let turn = 1; turn <= 10; turn += 1) await baseline('lyr_turns', csv(`v${turn}`))
    reading.on = false
    await readers
    assert.ok(reads > 20 && tags.size > 1 && !tags.has('none'), `${reads} reads of ${[...tags].join()}`)
  })

  it('joins features anew when the index changes', async () => {
    await features('lyr_moves', collection(point('p', 0.205, 0.105)))
    await build(db, { outline: fixture('outline.geojson'), wards: fixture('wards.json') }, quiet)
    assert.equal((await entry(first, 'lyr_moves'))?.features?.length, 1)
    assert.ok((await number(db, 'select count(*)::int as n from feature_frame')) > 5)
  })
})
