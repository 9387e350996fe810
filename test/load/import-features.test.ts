import assert from 'node:assert/strict'
import { first, second, serviceForImports } from './imports.js'

describe('importing a feature dataset', function () {
  this.timeout(120_000)
  const imports = serviceForImports()

  const features: typeof imports.features = (...given) => imports.features(...given)

  const point = (id: string | number, lon: number, lat: number, properties: object | null = {}) =>
    JSON.stringify({ type: 'Feature', id, geometry: { type: 'Point', coordinates: [lon, lat] }, properties })
  const collection = (...all: string[]) => `{"type":"FeatureCollection","features":[${all.join()}]}`

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
    const rows = await imports.db.rows<{ id: string; frames: number }>(
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
    const found = await imports.entry(first, 'lyr_points')
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
      (await imports.entry(first, 'lyr_csv'))?.features?.map((feature) => feature),
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
    const wkt = `MULTIPOLYGON Z (((${ring.map((place) => `${place.join(' ')} 7`).join(', ')})))`
    const sheet = `\uFEFFWKT;Id;name\r\n"${wkt}";7;"a;b"\r\n`
    assert.equal((await features('lyr_wkt', sheet, 'areas.csv')).kind, 'polygons')
    assert.deepEqual((await imports.entry(second, 'lyr_wkt'))?.features, [
      {
        type: 'Feature',
        id: '7',
        geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
        properties: { name: 'a;b' },
      },
    ])
    assert.equal((await features('lyr_xy', 'X\ty\n.205\t0.105\n', 'points.tsv')).items, 1)
    assert.equal((await features('lyr_many', 'geom\n"MULTIPOINT ((0.2 0.1),(0.205 0.105))"\n', 'x.csv')).kind, 'points')
    assert.equal((await imports.entry(second, 'lyr_lines'))?.features?.length, 1)
    assert.equal((await imports.entry(second, 'lyr_areas'))?.features?.length, 2)
  })

  it('keeps every digit of the numbers of a file, in ids and properties, on every way out', async () => {
    const written =
      '{"id64":599686042433355775,"rate":1.10,"e":-1.50E+3,"list":[0.30000000000000004441,{"0":1e0}],"s":"1.10 \\"2.0"}'
    const at = '"geometry":{"type":"Point","coordinates":[0.205000,0.105]}'
    const each = [599686042433355774n, 599686042433355775n].map(
      (id) => `{"type":"Feature","id":${id},${at},"properties":${written.replaceAll(/([:,])(?="|\d|\[)/g, '$1 ')}}`,
    )
    for (const file of [`{"type":"FeatureCollection","features":[${each.join()}]}`, `\x1e${each.join('\n\x1e')}\n`]) {
      assert.equal((await features('lyr_digits', file)).items, 2)
      for (const path of [`/v1/frames/data?ids=${first}&datasets=lyr_digits`, '/ogc/collections/lyr_digits/items']) {
        const answer = await imports.sent(path)
        assert.equal(answer.split(`"properties":${written}`).length, 3, answer)
        for (const id of ['599686042433355774', '599686042433355775'])
          assert.ok(answer.includes(`"id":"${id}"`), answer)
      }
      const [row] = await imports.db.rows<{ id64: string; rate: string }>(
        'select id64::text as id64, rate::text as rate from analyst.lyr_digits limit 1',
        [],
      )
      assert.deepEqual({ ...row }, { id64: '599686042433355775', rate: '1.10' })
    }
    const records = { name: 'records', arguments: { ids: first, datasets: 'lyr_digits' } }
    const called = await imports.sent(
      '/mcp',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: records }),
    )
    assert.match(called, /"id64":"599686042433355775","rate":1.10?,/)
    const sheet = 'id,lon,lat,id64,rate\n599686042433355775,0.205,0.105,599686042433355775,1.10\n'
    await features('lyr_digits', sheet, 'x.csv')
    const found = await imports.entry(first, 'lyr_digits')
    const geometry = { type: 'Point', coordinates: [0.205, 0.105] }
    const properties = { id64: '599686042433355775', rate: '1.10' }
    assert.deepEqual(found?.features, [{ type: 'Feature', id: '599686042433355775', geometry, properties }])
  })
})
