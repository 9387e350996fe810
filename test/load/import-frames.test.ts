import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { importFrames } from '../../src/load/import-frames.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { service, startService } from '../support/service.js'
import { ask, collection, faultOf, feature, fromLowest, quiet, rectangle, stateOf, temporaryFolder } from './files.js'

const units = {
  state: ' Côte  Évora ',
  stateCode: 'CE',
  lga: 'évora côte',
  ward: 'São Bento',
  ward_code: 7,
  ZONE: 'South',
}
const folded = {
  state: 'CÔTE ÉVORA',
  stateCode: 'CE',
  lga: 'ÉVORA CÔTE',
  ward: 'SÃO BENTO',
  wardCode: '7',
  zone: 'SOUTH',
}
const one = feature('9223372036854775807', rectangle(300, 600, 301, 601), units)
const two = feature(0, rectangle(301, 600, 302, 601))
const three = feature('42', {
  type: 'MultiPolygon',
  coordinates: [rectangle(400, 600, 401, 601).coordinates, rectangle(402, 600, 403, 601).coordinates],
})

describe('importing frames', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  const take = (content: string | Buffer) => importFrames(database.db, folder.write('grid.json', content), quiet)
  type Served = { id: string; geometry: { type: string; coordinates: unknown }; admin?: unknown }
  const shape = (frame: Served) => ({ ...frame, geometry: fromLowest(frame.geometry) })
  const served = async () => {
    const rows = await database.db.rows<{
      id: string
      geojson: string
      state: string | null
      ward_code: string | null
    }>('select frame_id::text as id, geojson, state, ward_code from frame order by frame_id', [])
    return rows.map(({ id, geojson, state, ward_code }) => ({
      id,
      geometry: fromLowest(JSON.parse(geojson)),
      state,
      ward_code,
    }))
  }
  const expected = [
    { id: '0', geometry: fromLowest(two.geometry), state: null, ward_code: null },
    { id: '42', geometry: fromLowest(three.geometry), state: null, ward_code: null },
    { id: '9223372036854775807', geometry: fromLowest(one.geometry), state: 'CÔTE ÉVORA', ward_code: '7' },
  ]

  before(async () => (database = await newDatabase()))
  after(async () => {
    folder.remove()
    await database.drop()
  })

  const features = [one, two, three]
  const asAnswered = [
    { id: one.id, geometry: one.geometry, bbox: [3, 6, 3.01, 6.01], admin: units },
    { id: '0', geometry: two.geometry },
    { id: three.id, geometry: three.geometry },
  ]
  const forms: [form: string, content: string][] = [
    ['GeoJSON', collection(features)],
    ['a text sequence with record separators', features.map((each) => `\u001e${JSON.stringify(each)}\n`).join('')],
    ['a text sequence by line', features.map((each) => JSON.stringify(each)).join('\n')],
    ['{"data": FeatureCollection}', `{"data":${collection(features)}}`],
    ['{"data": [Frame]}', JSON.stringify({ data: asAnswered })],
  ]
  for (const [form, content] of forms) {
    it(`takes ${form}: ids as given, geometry and units kept`, async () => {
      const { frames: taken } = await take(content)
      assert.equal(taken, 3)
      assert.deepEqual(await served(), expected)
    })
  }

  it('answers with the units of the file, folded', async () => {
    await take(collection(features))
    const started = await startService(database)
    try {
      const answer = await ask(started, '/v1/frames?ids=9223372036854775807,0')
      const { data } = JSON.parse(answer.text) as { data: Served[] }
      assert.deepEqual(data[0]?.admin, folded)
      assert.deepEqual(Object.keys(data[1] ?? {}), ['id', 'geometry', 'bbox'])
      const states = await ask(started, '/v1/states')
      assert.deepEqual(JSON.parse(states.text), {
        data: [{ state: 'CÔTE ÉVORA', stateCode: 'CE', zone: 'SOUTH', frames: 1 }],
      })
    } finally {
      await started.stop()
    }
  })

  it('turns clockwise rings, drops heights, rounds to 7 decimals, and makes a Polygon of one part', async () => {
    const ring = [
      [3, 6, 120],
      [3, 6.01, 120],
      [3.010000041, 6.01, 120],
      [3.01, 5.999999999, 120],
      [3, 6, 120],
    ]
    await take(collection([feature(5, { type: 'MultiPolygon', coordinates: [[ring]] })]))
    const [frame] = await database.db.rows<{ geojson: string; bbox: string; ccw: boolean; exact: boolean }>(
      `select geojson, bbox, ST_IsPolygonCCW(geom) as ccw,
        ST_AsBinary(geom) = ST_AsBinary(ST_GeomFromGeoJSON(geojson)) as exact from frame`,
      [],
    )
    assert.deepEqual([frame?.ccw, frame?.exact, frame?.bbox], [true, true, '[3,6,3.01,6.01]'])
    assert.deepEqual(fromLowest(JSON.parse(frame?.geojson ?? '')), fromLowest(rectangle(300, 600, 301, 601)))
  })

  it('takes an answer of the API as a file, cut frames included, and then answers the same', async () => {
    const box = '/v1/frames?bbox=-0.55,-0.3,-0.45,0.3'
    const [cut] = await service().db.rows<{ ids: string }>(
      `select string_agg(frame_id::text, ',') as ids from (
        select frame_id from frame where ST_NumGeometries(geom) > 1 or ST_NRings(geom) > 1 or ward_code is null
          or zone is null order by ST_NPoints(geom) desc limit 100) as odd`,
      [],
    )
    const framesOf = (text: string) => {
      const { data } = JSON.parse(text) as { data: Served[] | { features: Served[] } }
      return (Array.isArray(data) ? data : data.features).map(shape)
    }
    for (const path of [box, `/v1/frames?ids=${cut?.ids}`]) {
      const given = await ask(service(), path)
      assert.ok(framesOf(given.text).length >= 100, given.text.slice(0, 200))
      await take(given.text)
      const started = await startService(database)
      const again = await ask(started, path).finally(() => started.stop())
      assert.deepEqual(framesOf(again.text), framesOf(given.text))
    }
  })

  const second = (bad: unknown) => collection([one, bad, three])
  const shaped = (geometry: unknown) => second(feature(2, geometry))
  const polygon = (ring: unknown[]) => shaped({ type: 'Polygon', coordinates: [ring] })
  // oxfmt-ignore
  const bowTie = [[3, 6], [4, 7], [4, 6], [3, 7], [3, 6]]
  // oxfmt-ignore
  const unclosed = [[3, 6], [4, 6], [4, 7], [3, 7]]
  // oxfmt-ignore
  const ringWith = (position: unknown[]) => [[3, 6], [4, 6], position, [3, 6]]
  const evora = { state: 'Évora', lga: 'São' }
  const inLatin1 = Buffer.from(collection([three, { ...two, properties: evora }]), 'latin1')
  const rd = { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::28992' } } }

  type Bad = { title: string; content: string | Buffer; message: RegExp; line?: number }
  const bad: Bad[] = [
    {
      title: 'a truncated file',
      content: second(two).slice(0, -30),
      message: /the file ends inside feature 3, which starts on line 4/,
      line: 4,
    },
    {
      title: 'an id given twice',
      content: collection([two, one, { ...three, id: '0' }]),
      message: /^feature 3 \(line 4\): id 0 was given already, by feature 1 on line 2$/,
      line: 4,
    },
    {
      title: 'an id beyond bigint',
      content: second({ ...two, id: '9223372036854775808' }),
      message: /id has to be a whole number from 0 to 9223372036854775807 .*"9223372036854775808" came/,
    },
    { title: 'an id of letters', content: second({ ...two, id: 'abc' }), message: /whole number .*"abc" came/ },
    { title: 'no id', content: second({ ...two, id: undefined }), message: /an id is needed/ },
    { title: 'a ring that does not close', content: polygon(unclosed), message: /has to end where it starts/ },
    { title: 'a ring that crosses itself', content: polygon(bowTie), message: /not valid: Self-intersection/ },
    {
      title: 'a shape with no area at 7 decimals',
      content: polygon([
        [3, 6],
        [3.00000001, 6],
        [3, 6.00000001],
        [3, 6],
      ]),
      message: /no area left at 7 decimals/,
    },
    {
      title: 'an empty geometry',
      content: shaped({ type: 'Polygon', coordinates: [] }),
      message: /an empty array came/,
    },
    { title: 'a null geometry', content: shaped(null), message: /a Polygon or a MultiPolygon, and null came/ },
    { title: 'a Point', content: shaped({ type: 'Point', coordinates: [3, 6] }), message: /and type "Point" came/ },
    {
      title: 'NaN for a coordinate',
      content: polygon(ringWith([4.5, 7])).replace('4.5', 'NaN'),
      message: /valid JSON is needed, and this is not/,
    },
    { title: 'coordinates swapped', content: polygon(ringWith([7, 95])), message: /look swapped: .* and 7, 95 came/ },
    { title: 'a coordinate out of range', content: polygon(ringWith([200, 95])), message: /and 200, 95 came/ },
    {
      title: 'another CRS of the file',
      content: collection([one], rd),
      message: /crs has to be WGS 84 .*28992.*came/,
      line: 1,
    },
    {
      title: 'another CRS of a feature',
      content: second({ ...two, ...rd }),
      message: /crs has to be WGS 84 .*28992.*came/,
    },
    {
      title: 'an lga without its state',
      content: second({ ...two, properties: { lga: 'A' } }),
      message: /"A" came alone/,
    },
    { title: 'Latin-1', content: inLatin1, message: /line 3: UTF-8 is needed/ },
    {
      title: 'text that is not JSON',
      content: 'id,geom\n1,x',
      message: /line 1: JSON.* is needed, and "i" came/,
      line: 1,
    },
    { title: 'an empty file', content: '', message: /the file is empty/, line: 1 },
    { title: 'a file without a feature', content: collection([]), message: /no feature in it/, line: 1 },
  ]
  for (const { title, content, message, line = 3 } of bad) {
    it(`refuses ${title}, naming the line and the reason, and what was served stays`, async () => {
      const asBefore = await stateOf(database.db)
      const fault = await faultOf(take(content))
      assert.match(fault.message, message)
      assert.equal(fault.line, line)
      assert.match(fault.message, line === 1 ? /\S/ : /feature \d|line 3/)
      assert.deepEqual(await stateOf(database.db), asBefore)
      assert.equal(asBefore.staging, false)
    })
  }

  it('names every feature at fault, up to ten, each on a line', async () => {
    const many = Array.from({ length: 14 }, (_, at) => feature(at < 2 ? at : 1, rectangle(at, 0, at + 1, 1)))
    const fault = await faultOf(take(collection(many)))
    assert.equal(fault.message.split('\n').length, 10)
    assert.match(fault.message, /^feature 3 \(line 4\)[^\n]*\nfeature 4 \(line 5\)/)
  })
})

if (onPostgres) {
  describe('importing a file of 60 MB, on PostgreSQL', function () {
    this.timeout(240_000)
    const folder = temporaryFolder()
    let database: TestDatabase
    before(async () => (database = await newDatabase()))
    after(async () => {
      folder.remove()
      await database.drop()
    })

    it('takes less than 300 MB of memory: the file is read as a stream', async () => {
      const path = folder.write('large.geojson', '')
      const total = 75_000
      const bytes = await writeGrid(path, total)
      assert.ok(bytes > 60_000_000, `${bytes} bytes`)
      const atFirst = process.memoryUsage().rss
      let most = atFirst
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
      const { frames } = await importFrames(database.db, path, quiet).finally(() => clearInterval(watch))
      assert.equal(frames, total)
      assert.ok(most - atFirst < 300_000_000, `${Math.round((most - atFirst) / 1e6)} MB more`)
    })
  })
}

/** A grid 500 cells wide, with as much beside each geometry as exports of a GIS have. */
async function writeGrid(path: string, total: number): Promise<number> {
  const file = createWriteStream(path)
  const ballast = 'x'.repeat(640)
  file.write('{"type":"FeatureCollection","features":[')
  for (let at = 0; at < total; at += 1) {
    const [col, row] = [at % 500, Math.floor(at / 500)]
    const unit = { state: `State ${row % 5}`, lga: `Area ${row % 50}`, remark: ballast }
    const text = JSON.stringify(feature(at, rectangle(col, row, col + 1, row + 1), unit))
    if (!file.write(at === 0 ? text : `,\n${text}`)) await once(file, 'drain')
  }
  file.end(']}')
  await once(file, 'finish')
  return file.bytesWritten
}
