import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { frames, framesProcess } from '../support/cli.js'
import { service } from '../support/service.js'
import { box, env, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

describe('frames export', function () {
  this.timeout(120_000)
  const { folder, at, relay, words, linesOf } = exportFolder()

  it('writes every frame of a unit once, as the API gives it, in the order of ids', async () => {
    const through = await relay()
    const ran = await frames(words(through.url, 'unit.geojsonl'), env())
    assert.equal(ran.status, 0, ran.err)
    const lines = linesOf('unit.geojsonl')
    const ids = await idsWhere(IN_UNIT)
    assert.ok(ids.length > 100)
    assert.deepEqual(
      lines.map(({ id }) => id),
      ids,
    )
    const [kept] = await service().db.rows<{ geojson: string }>(
      'select geojson from frame where frame_id = $1::bigint',
      [ids[0]],
    )
    assert.equal(JSON.stringify(lines[0]?.geometry), kept?.geojson)
    assert.deepEqual(readdirSync(folder()), ['unit.geojsonl'], 'nothing is left beside it')
    assert.match(ran.out, new RegExp(`has ${ids.length} frames`))
  })

  it('writes every frame that touches a box once, however many there are', async () => {
    const through = await relay()
    const ran = await frames([...words(through.url, 'box.geojsonl', box), '--json'], env())
    assert.equal(ran.status, 0, ran.err)
    const ids = linesOf('box.geojsonl').map(({ id }) => id)
    const known = await idsWhere('ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))')
    assert.ok(known.length > 100, 'more than one answer of 50 holds')
    assert.deepEqual(
      ids.toSorted((one, other) => Number(one) - Number(other)),
      known,
    )
    assert.deepEqual(JSON.parse(ran.out), { file: at('box.geojsonl'), frames: known.length, resumedAt: 0 })
  })

  it('gives each frame its units, bbox and centre, as asked', async () => {
    const what = [...unit, '--with-units']
    assert.equal((await frames(words(service().url, 'out.geojsonl', what, '1000'), env())).status, 0)
    const island = linesOf('out.geojsonl').find(({ id }) => id === '324378020')
    const { frame_id: key, state, wardCode } = island?.properties ?? {}
    assert.deepEqual([key, state, wardCode], [324378020, 'MAREMBE', 'MR-02-03'])
    assert.equal((await frames(words(service().url, 'out.geojson', what, '1000'), env())).status, 0)
    const { features } = JSON.parse(readFileSync(at('out.geojson'), 'utf8')) as { features: unknown[] }
    assert.deepEqual(features, linesOf('out.geojsonl'))
    assert.equal((await frames(words(service().url, 'out.csv', what, '1000'), env())).status, 0)
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
    const ward = ['--state', 'oke/isale', '--page', '5000', '--url', service().url]
    assert.equal((await frames(['export', ...ward, at('out.csv')], env())).status, 0)
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

  it('says which option or file name is wrong, and ends with status 2', async () => {
    for (const [given, said] of [
      [['out.csv'], /--state and --bbox/],
      [[...box, ...unit, 'out.csv'], /--state and --bbox/],
      [['--bbox', '0,0,1,1', '--lga', 'x', 'out.csv'], /go with --state/],
      [['--state', 'x', '--ward', 'y', 'out.csv'], /--ward goes with --lga/],
      [['--state', 'x', 'out.shp'], /\.geojson, \.geojsonl, \.csv, \.gpkg and \.parquet are accepted, "out\.shp" came/],
      [
        ['--state', 'x', '--page', '0', 'out.csv'],
        /--page: a whole number from 1 to 5,000, in digits alone, is accepted/,
      ],
      [['--state', 'x', '--url', 'ftp://x', 'out.csv'], /--url: an address/],
    ] as const) {
      const ran = await frames(['export', ...given], env())
      assert.equal(ran.status, 2, given.join(' '))
      assert.match(ran.err, said)
    }
    const keyless = await frames(['export', '--state', 'x', 'out.csv'], {})
    assert.equal(keyless.status, 2)
    assert.match(keyless.err, /A key is needed: FRAMES_KEY/)
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
      const ran = await frames(['export', ...given, '--url', service().url, at('out.csv')], env())
      assert.equal(ran.status, 1, ran.err)
      assert.match(ran.err, said)
      assert.match(ran.err, /out\.csv is not written\./)
      assert.deepEqual(readdirSync(folder()), [])
    }
  })

  for (const given of [['--bbox', '-0.02,-0.02,0.02,0.02'], ['--bbox=-0.02,-0.02,0.02,0.02']]) {
    it(`takes a box that begins with a minus sign: ${given.join(' ')}`, async () => {
      const ran = await frames(['export', ...given, '--url', service().url, at('out.geojsonl')], env())
      assert.equal(ran.status, 0, ran.err)
      const known = await idsWhere('ST_Intersects(geom, ST_MakeEnvelope(-0.02, -0.02, 0.02, 0.02, 4326))')
      assert.ok(known.length > 10)
      assert.equal(linesOf('out.geojsonl').length, known.length)
    })
  }

  it('says that a GeoPackage needs ogr2ogr if there is none, before it calls the API', async () => {
    const through = await relay()
    const ran = await framesProcess(words(through.url, 'out.gpkg'), { ...env(), PATH: folder() })
    assert.equal(ran.status, 1)
    assert.match(ran.err, /written by ogr2ogr, which is not installed here/)
    assert.deepEqual(through.calls(), [])
  })
})
