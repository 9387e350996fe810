import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get, service } from '../support/service.js'
import { box, everywhere, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

describe('frames export', function () {
  this.timeout(120_000)
  const { folder, at, exported, linesOf } = exportFolder()

  it('writes every frame of a unit once, as the API gives it, in the order of ids', async () => {
    const ran = await exported('unit.geojsonl', ...unit)
    assert.equal(ran.status, 0, ran.err)
    const answer = await get('/v1/frames?state=marembe&lga=lakeside&ward=lake%20island')
    const { features } = (answer.body as { data: { features: object[] } }).data
    assert.deepEqual(
      features.map((feature) => ({ ...feature, properties: {} })),
      linesOf('unit.geojsonl').map((feature) => ({ ...feature, properties: {} })),
    )
    const ids = await idsWhere(IN_UNIT)
    assert.deepEqual(
      linesOf('unit.geojsonl').map(({ id }) => id),
      ids,
    )
    assert.deepEqual(readdirSync(folder()), ['unit.geojsonl'], 'nothing is left beside it')
    assert.match(ran.out, new RegExp(`has ${ids.length} frames`))
  })

  for (const [what, words, where] of [
    ['a box', box, 'ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))'],
    ['a box of several pages', everywhere, 'true'],
    ['a state of several pages', ['--state', 'marembe'], `state = 'MAREMBE'`],
  ] as const)
    it(`writes every frame of ${what} once, in the order of ids`, async () => {
      const ran = await exported('out.geojsonl', ...words, '--json')
      assert.equal(ran.status, 0, ran.err)
      const known = await idsWhere(where)
      assert.deepEqual(
        linesOf('out.geojsonl').map(({ id }) => id),
        known,
      )
      assert.deepEqual(JSON.parse(ran.out), { file: at('out.geojsonl'), frames: known.length })
    })

  it('writes the frames that touch a shape, of a file of WKT or GeoJSON', async () => {
    const wkt = 'POLYGON((0.2 0.1,0.31 0.12,0.25 0.3,0.2 0.1))'
    const ring = '[[0.2,0.1],[0.31,0.12],[0.25,0.3],[0.2,0.1]]'
    const feature = `{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[${ring}]}}`
    const known = await idsWhere(`ST_Intersects(geom, ST_GeomFromText('${wkt}', 4326))`)
    assert.ok(known.length > 50)
    for (const text of [`${wkt}\n`, feature]) {
      writeFileSync(at('shape'), text)
      const ran = await exported('out.geojsonl', '--shape', at('shape'))
      assert.equal(ran.status, 0, ran.err)
      assert.deepEqual(
        linesOf('out.geojsonl').map(({ id }) => id),
        known,
      )
    }
  })

  it('says which folder is not there', async () => {
    const ran = await exported('none/out.csv', ...unit)
    assert.deepEqual(
      [ran.status, ran.err],
      [1, `There is no folder ${at('none')}: make it, or name a file elsewhere.\n`],
    )
  })

  it('refuses a shape with a fault, names the place, and leaves no file', async () => {
    for (const [text, said] of [
      ['POLYGON((0 0,0.2 0.2,0.2 0,0 0.2,0 0))', /self-intersection at lon 0\.1, lat 0\.1\./],
      ['POLYGON((50 50,51 50,51 51,50 50))', /No frame touches the shape\. .*out\.csv is not written\./],
      ['shape', /a POLYGON or a MULTIPOLYGON is accepted/],
    ] as const) {
      writeFileSync(at('shape'), text)
      const ran = await exported('out.csv', '--shape', at('shape'))
      assert.equal(ran.status, 1)
      assert.match(ran.err, said)
      assert.deepEqual(readdirSync(folder()), ['shape'])
    }
  })

  it('gives each frame its units, bbox and centre, as asked', async () => {
    const what = [...unit, '--with-units']
    assert.equal((await exported('out.geojsonl', ...what)).status, 0)
    const island = linesOf('out.geojsonl').find(({ id }) => id === '324378020')
    const { frame_id: key, state, wardCode } = island?.properties ?? {}
    assert.deepEqual([key, state, wardCode], [324378020, 'MAREMBE', 'MR-02-03'])
    assert.equal((await exported('out.geojson', ...what)).status, 0)
    const { features } = JSON.parse(readFileSync(at('out.geojson'), 'utf8')) as { features: unknown[] }
    assert.deepEqual(features, linesOf('out.geojsonl'))
    assert.equal((await exported('out.csv', ...what)).status, 0)
    const [head, ...rows] = readFileSync(at('out.csv'), 'utf8').split('\n')
    assert.equal(
      head,
      'frame_id,min_lon,min_lat,max_lon,max_lat,lon,lat,wkt,state,stateCode,lga,lgaCode,ward,wardCode,zone,zoneCode',
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

  it('ends with an error, and without a file, where no frame is meant: a misspelt unit, or a box off the grid', async () => {
    for (const [given, said] of [
      [['--state', 'marmebe'], /There is no state "marmebe"\. Did you mean MAREMBE\?/],
      [['--state', 'marembe', '--lga', 'lakside'], /no LGA "lakside" in marembe\. Did you mean LAKESIDE\?/],
      [
        ['--state', 'marembe', '--lga', 'lakeside', '--ward', 'sand  kuay'],
        /no ward "sand  kuay" in lakeside, marembe\. Did you mean SAND QUAY\?/,
      ],
      [['--state', 'atlantis'], /no state "atlantis"\. There are .*MAREMBE, .*OKE\/ISALE\./],
      [['--bbox', '50,50,51,51'], /No frame touches the box 50,50,51,51 \(minLon,minLat,maxLon,maxLat/],
    ] as const) {
      const ran = await exported('out.csv', ...given)
      assert.equal(ran.status, 1, ran.err)
      assert.match(ran.err, said)
      assert.match(ran.err, /out\.csv is not written\./)
      assert.deepEqual(readdirSync(folder()), [])
    }
  })

  for (const given of [['--bbox', '-0.02,-0.02,0.02,0.02'], ['--bbox=-0.02,-0.02,0.02,0.02']]) {
    it(`takes a box that begins with a minus sign: ${given.join(' ')}`, async () => {
      const ran = await exported('out.geojsonl', ...given)
      assert.equal(ran.status, 0, ran.err)
      const known = await idsWhere('ST_Intersects(geom, ST_MakeEnvelope(-0.02, -0.02, 0.02, 0.02, 4326))')
      assert.ok(known.length > 10)
      assert.equal(linesOf('out.geojsonl').length, known.length)
    })
  }
})
