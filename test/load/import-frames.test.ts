import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { linesToTry, whatToTry } from '../../src/tools/cli/demo.js'
import type { Database } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { service, startService, type Service } from '../support/service.js'
import { ask, collection, feature, fromLowest, quiet, rectangle, temporaryFolder } from './files.js'

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
  let started: Service & { stop: () => Promise<void> }
  const take = (content: string | Buffer, name = 'grid.json') =>
    importFrames(database.db, folder.write(name, content), quiet)
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

  before(async () => {
    database = await newDatabase()
    started = await startService(database)
  })
  after(async () => {
    await started.stop()
    await database.drop()
  })

  const features = [one, two, three]
  const asAnswered = [
    { id: one.id, geometry: one.geometry, bbox: [3, 6, 3.01, 6.01], admin: units },
    { id: '0', geometry: two.geometry },
    { id: three.id, geometry: three.geometry },
  ]
  const corners = (west: number) => `((${west} 6,${west + 0.01} 6,${west + 0.01} 6.01,${west} 6.01,${west} 6))`
  const asCsv = [
    'frame_id,wkt,state,stateCode,lga,ward,ward_code,ZONE',
    `9223372036854775807,"POLYGON${corners(3)}",Côte  Évora ,CE,évora côte,São Bento,7,South`,
    `0,"POLYGON ${corners(3.01)}",,,,,,`,
    `42,"MULTIPOLYGON(${corners(4)},${corners(4.02)})",,,,,,`,
  ].join('\n')
  const forms: [form: string, content: string, name?: string][] = [
    ['GeoJSON', collection(features)],
    ['a text sequence with record separators', features.map((each) => `\u001e${JSON.stringify(each)}\n`).join('')],
    ['a text sequence by line', features.map((each) => JSON.stringify(each)).join('\n')],
    ['{"data": FeatureCollection}', `{"data":${collection(features)}}`],
    ['{"data": [Frame]}', JSON.stringify({ data: asAnswered })],
    ['CSV with WKT, as "export" writes it', asCsv, 'grid.csv'],
  ]
  for (const [form, content, name] of forms) {
    it(`takes ${form}: ids as given, geometry and units kept`, async () => {
      const { frames: taken } = await take(content, name)
      assert.equal(taken, 3)
      assert.deepEqual(await served(), expected)
    })
  }

  it('answers with the units of the file, folded', async () => {
    await take(collection(features))
    const answer = await ask(started, '/v1/frames?ids=9223372036854775807,0')
    const { data } = JSON.parse(answer.text) as { data: Served[] }
    assert.deepEqual(data[0]?.admin, folded)
    assert.deepEqual(Object.keys(data[1] ?? {}), ['id', 'geometry', 'bbox'])
    const states = await ask(started, '/v1/states')
    assert.deepEqual(JSON.parse(states.text), {
      data: [{ state: 'CÔTE ÉVORA', stateCode: 'CE', zone: 'SOUTH', frames: 1 }],
    })
  })

  it('lets the lines to try at the start name what the index has', async () => {
    for (const unit of [{ state: "Côte d'Évora", stateCode: 'CE', lga: 'A & B' }, {}]) {
      await take(collection([feature(7, rectangle(-7000, -3300, -6999, -3299), unit)]))
      const lines = linesToTry('', undefined, await whatToTry(database.db))
      const paths = lines.flatMap((line) => /^ +curl .* '([^']+)'$/.exec(line)?.[1] ?? [])
      assert.equal(paths.length, 4)
      for (const path of paths) {
        const { status, text } = await ask(started, path)
        assert.equal(status, 200, path)
        // An index without units has no state to list.
        if (path !== '/v1/states') assert.doesNotMatch(text, /"features":\[\]|"data":(\[\]|\{\})/, path)
      }
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
      const again = await ask(started, path)
      assert.deepEqual(framesOf(again.text), framesOf(given.text))
    }
  })

  it('reports the extent, the land and the units of the frames', async () => {
    const cell = (id: number, x: number, properties: object) => feature(id, rectangle(x, 800, x + 1, 801), properties)
    const unit = { state: 'Plateau', lga: 'Highland' }
    const { bbox, totalKm2, smallestKm2, largestKm2, columns } = await take(
      collection([
        cell(1, 900, { ...unit, stateCode: 'PL', ward: 'North', zone: 'East' }),
        cell(2, 901, { ...unit, stateCode: 'PX', ward: 'South', zone: 'East' }),
        cell(3, 905, { zone: 'West' }),
        cell(4, 906, { zone: 'East' }),
      ]),
    )
    const [row] = await database.db.rows<{ total: string; least: string; most: string }>(
      'select sum(area_km2)::text as total, min(area_km2)::text as least, max(area_km2)::text as most from frame',
      [],
    )
    assert.deepEqual([totalKm2, smallestKm2, largestKm2], [row?.total, row?.least, row?.most])
    assert.deepEqual(bbox, [9, 8, 9.07, 8.01])
    assert.deepEqual(
      columns.map(({ name, recorded, blank, classes, notes }) => [name, recorded, blank, classes, notes.join(' ')]),
      [
        ['state', 2, 2, 1, 'Every value is PLATEAU.'],
        ['stateCode', 2, 2, 2, '1 unit has more than one: the lowest is kept.'],
        ['lga', 2, 2, 1, 'Every value is HIGHLAND.'],
        ['lgaCode', 0, 4, undefined, 'No frame has a value.'],
        ['ward', 2, 2, 2, ''],
        ['wardCode', 0, 4, undefined, 'No frame has a value.'],
        ['zone', 4, 0, 2, ''],
        ['zoneCode', 0, 4, undefined, 'No frame has a value.'],
      ],
    )
  })

  it('reads a large file as a stream: it sends the first frames before the last ones are written', async () => {
    // Their outlines have 800 corners, so that 100 frames fill a batch.
    const dense = (at: number) => {
      const [[west, ...others]] = rectangle(at, 0, at + 1, 1).coordinates as [number[][]]
      const side = Array.from({ length: 799 }, (_, i) => [(at + (i + 1) / 800) / 100, 0])
      return JSON.stringify(feature(at, { type: 'Polygon', coordinates: [[west, ...side, ...others]] }))
    }
    const [early, late] = [Array.from({ length: 210 }, (_, at) => dense(at)), [dense(210), dense(211)]]
    const path = folder.write('large.geojson', `[${early.join()}`)
    let sent = 0
    const { db } = database
    const rows: Database['rows'] = (text, ...asked) => {
      if (text === sqlText('import/frames_add') && (sent += 1) === 1) appendFileSync(path, `,${late.join()}]`)
      return db.rows(text, ...asked)
    }
    assert.equal((await importFrames({ ...db, rows }, path, quiet)).frames, 212)
    assert.ok(sent > 2, `${sent} batches`)
  })
})
