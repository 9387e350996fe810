import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { get, service } from '../support/service.js'
import { plays } from '../support/transcript.js'
import { box, everywhere, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

plays('export/export', 'shared')

const triangle = 'POLYGON((0.2 0.1,0.31 0.12,0.25 0.3,0.2 0.1))'
const ring = '[[0.2,0.1],[0.31,0.12],[0.25,0.3],[0.2,0.1]]'
const geojson = `{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[${ring}]}}`
const inBox = (...corners: number[]) => `ST_Intersects(geom, ST_MakeEnvelope(${corners.join()}, 4326))`
const inShape = `ST_Intersects(geom, ST_GeomFromText('${triangle}', 4326))`
const byMinus = inBox(-0.02, -0.02, 0.02, 0.02)

/** What is exported, by which words, the condition of its frames, and what stands in file "shape". */
const selections: [what: string, words: string[], where: string, shape?: string][] = [
  ['a unit', unit, IN_UNIT],
  ['a box', box, inBox(0.2, 0.1, 0.3, 0.2)],
  ['a box of several pages', everywhere, 'true'],
  ['a state of several pages', ['--state', 'marembe'], `state = 'MAREMBE'`],
  ['a box that begins with a minus sign', ['--bbox', '-0.02,-0.02,0.02,0.02'], byMinus],
  ['a box that begins with a minus sign, after "="', ['--bbox=-0.02,-0.02,0.02,0.02'], byMinus],
  ['a shape of WKT', ['--shape', 'shape'], inShape, `${triangle}\n`],
  ['a shape of GeoJSON', ['--shape', 'shape'], inShape, geojson],
]

describe('frames export', function () {
  this.timeout(120_000)
  const { at, exported, linesOf } = exportFolder()

  for (const [what, words, where, shape] of selections)
    it(`writes every frame of ${what} once, in the order of ids`, async () => {
      if (shape !== undefined) writeFileSync(at('shape'), shape)
      const ran = await exported('out.geojsonl', ...words.map((word) => (word === 'shape' ? at(word) : word)), '--json')
      assert.equal(ran.status, 0, ran.err)
      const known = await idsWhere(where)
      assert.ok(known.length > 10)
      assert.deepEqual(
        linesOf('out.geojsonl').map(({ id }) => id),
        known,
      )
      assert.deepEqual(JSON.parse(ran.out), { file: at('out.geojsonl'), frames: known.length })
    })

  it('writes a frame as the API gives it', async () => {
    assert.equal((await exported('unit.geojsonl', ...unit)).status, 0)
    const answer = await get('/v1/frames?state=marembe&lga=lakeside&ward=lake%20island')
    const { features } = (answer.body as { data: { features: object[] } }).data
    assert.deepEqual(
      features.map((feature) => ({ ...feature, properties: {} })),
      linesOf('unit.geojsonl').map((feature) => ({ ...feature, properties: {} })),
    )
  })

  it('gives each frame its units, bbox and centre, as asked', async () => {
    const what = [...unit, '--with-units']
    assert.equal((await exported('out.geojsonl', ...what)).status, 0)
    const island = linesOf('out.geojsonl').find(({ id }) => id === '324378020')
    const { frame_id: key, state, ward_code: wardCode } = island?.properties ?? {}
    assert.deepEqual([key, state, wardCode], [324378020, 'MAREMBE', 'MR-02-03'])
    assert.equal((await exported('out.geojson', ...what)).status, 0)
    const { features } = JSON.parse(readFileSync(at('out.geojson'), 'utf8')) as { features: unknown[] }
    assert.deepEqual(features, linesOf('out.geojsonl'))
    assert.equal((await exported('out.csv', ...what)).status, 0)
    const [head, ...rows] = readFileSync(at('out.csv'), 'utf8').split('\n')
    assert.equal(
      head,
      'frame_id,min_lon,min_lat,max_lon,max_lat,lon,lat,wkt,state,state_code,lga,lga_code,ward,ward_code,zone,zone_code',
    )
    assert.equal(
      rows.find((row) => row.startsWith('324378020,')),
      '324378020,0.2,0.1,0.21,0.11,0.205,0.105,"POLYGON((0.2 0.1,0.21 0.1,0.21 0.11,0.2 0.11,0.2 0.1))",' +
        'MAREMBE,MR,LAKESIDE,MR-02,LAKE ISLAND,MR-02-03,NORTHERN ZONE,NZ',
    )
  })

  it('writes WKT that PostGIS reads as the very frame', async () => {
    assert.equal((await exported('out.csv', '--state', 'oke/isale')).status, 0)
    const rows = readFileSync(at('out.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => [row.split(',')[0] ?? '', /"(.*)"/.exec(row)?.[1] ?? ''] as const)
    assert.ok(rows.some(([, wkt]) => wkt.startsWith('MULTIPOLYGON')))
    const [same] = await service().db.rows<{ n: number }>(
      `select count(*)::int as n from unnest($1::bigint[], $2::text[]) as given (frame_id, wkt)
      join frame using (frame_id) where ST_OrderingEquals(frame.geom, ST_GeomFromText(wkt, 4326))`,
      [rows.map(([id]) => id), rows.map(([, wkt]) => wkt)],
    )
    assert.equal(same?.n, rows.length)
  })
})
