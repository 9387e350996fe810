import assert from 'node:assert/strict'
import { get, service } from '../support/service.js'

type Ring = [number, number][]
type Geometry = { type: 'Polygon'; coordinates: Ring[] } | { type: 'MultiPolygon'; coordinates: Ring[][] }
type Frame = { id: string; geometry: Geometry; bbox: number[] }
type Row = { id: string; geojson: string; whole: string }

const rowsOf = (where: string) =>
  service().db.rows<Row>(
    `select frame_id::text as id, geojson, '{"id":"' || frame_id || '","geometry":' || geojson || ',"bbox":' || bbox || ',"admin":'
       || json_strip_nulls(json_build_object('state', state, 'stateCode', state_code, 'lga', lga, 'lgaCode', lga_code, 'ward',
         ward, 'wardCode', ward_code, 'zone', zone, 'zoneCode', zone_code)) || '}' as whole
     from frame where ${where} order by frame_id`,
    [],
  )
const box = (corners: string) => `ST_Intersects(geom, ST_MakeEnvelope(${corners}, 4326))`
const inWard = `state = 'MAREMBE' and lga = 'LAKESIDE' and ward = 'LAKE ISLAND'`
const ward = 'state=marembe&lga=lakeside&ward=lake island'

describe('GET /v1/frames', () => {
  /** Each question, with the frames by hand: how many there are, and which. */
  const asked: [query: string, count: number, where: string][] = [
    ['bbox=0.2,0.1,0.21,0.11', 9, box('0.2, 0.1, 0.21, 0.11')],
    ['bbox=0.205,0.105,0.205,0.105', 1, `ST_Intersects(geom, ST_SetSRID(ST_MakePoint(0.205, 0.105), 4326))`],
    ['bbox=0.21,0.11,0.21,0.11', 4, `ST_Intersects(geom, ST_SetSRID(ST_MakePoint(0.21, 0.11), 4326))`],
    ['bbox=0.205,0.105,0.215,0.105', 2, `ST_Intersects(geom, 'SRID=4326;LINESTRING(0.205 0.105,0.215 0.105)')`],
    ['bbox=0.2,0.1,0.21,0.11&limit=4', 9, box('0.2, 0.1, 0.21, 0.11')],
    ['bbox=0.2,0.1,0.21,0.11&limit=9', 9, box('0.2, 0.1, 0.21, 0.11')],
    ['bbox=-2,-2,2,2&limit=6000', 12_411, 'true'],
    ['bbox=50,50,51,51', 0, 'false'],
    ['state=Marembe&limit=1000', 6474, `state = 'MAREMBE'`],
    ['state=marembe', 6474, `state = 'MAREMBE'`],
    [ward, 273, inWard],
    [`${ward}&limit=273`, 273, inWard],
    [`${ward}&limit=272`, 273, inWard],
    ...['Côte Évora', 'CÔTE ÉVORA', 'côte évora', ' côte   évora ', 'côte évora'.normalize('NFD')].map(
      (name): [string, number, string] => [`state=${encodeURIComponent(name)}`, 2860, `state = 'CÔTE ÉVORA'`],
    ),
    ['state=atlantis', 0, 'false'],
    ["state=n'dara&lga=lakeside", 0, 'false'],
    ['state=marembe&lga=central', 0, `state = 'MAREMBE' and lga = 'CENTRAL'`],
    ['state=oke/isale&lga=central', 0, `state = 'OKE/ISALE' and lga = 'CENTRAL'`],
  ]
  for (const [query, count, where] of asked)
    it(`has exactly the frames by hand, in the order of their ids, and pages of a unit: ${query}`, async () => {
      const limit = Math.min(Number(/limit=(\d+)/.exec(query)?.[1] ?? 5000), 5000)
      const rows = await rowsOf(where)
      if (where.includes('CENTRAL')) assert.ok(rows.length > 0)
      else assert.equal(rows.length, count)
      for (let from = 0, path = `/v1/frames?${query}`; from === 0 || from < rows.length; from += limit) {
        const page = rows.slice(from, from + limit)
        const { status, text, headers } = await get(path)
        const features = page.map(
          ({ id, geojson }) => `{"type":"Feature","id":"${id}","geometry":${geojson},"properties":{}}`,
        )
        const next = page.at(-1)?.id
        const isUnit = query.startsWith('state')
        const more = from + limit < rows.length ? `,"truncated":true${isUnit ? `,"next":"${next}"` : ''}` : ''
        assert.equal(status, 200)
        assert.equal(text, `{"data":{"type":"FeatureCollection","features":[${features.join()}]${more}}}`)
        // A box has no pages.
        const [, link] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
        assert.equal(link !== undefined, isUnit && more !== '')
        if (link === undefined) return
        const { pathname, search, searchParams } = new URL(link, `http://frames${path}`)
        assert.equal(searchParams.get('after'), next)
        path = pathname + search
      }
    })

  it('by id answers whole frames in the order asked, a repeated id once, unknown ids left out', async () => {
    const [a, b] = await rowsOf('frame_id in (324378020, 324378021)')
    const { text } = await get(`/v1/frames?ids=${b?.id},1,${a?.id},${b?.id},00${a?.id},99999999999999999999`)
    assert.equal(text, `{"data":[${b?.whole},${a?.whole}]}`)
  })

  it('has boxes that bound the geometry, and rings that run counterclockwise at 7 decimals', async () => {
    const odd = await rowsOf(`GeometryType(geom) = 'MULTIPOLYGON' or ST_NPoints(geom) > 20`)
    const ids = odd.slice(0, 100).map(({ id }) => id)
    const frames = ((await get(`/v1/frames?ids=${ids.join(',')}`)).body as { data: Frame[] }).data
    assert.equal(frames.length, 100)
    assert.ok(frames.some(({ geometry }) => geometry.type === 'MultiPolygon'))
    for (const { geometry, bbox } of frames) {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      const places = polygons.flat(2)
      const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)]
      assert.deepEqual(bbox, [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)])
      for (const [outer = [], ...holes] of polygons) {
        assert.ok(turn(outer) > 0)
        assert.ok(holes.every((hole) => turn(hole) < 0))
      }
      assert.ok(places.flat().every((degree) => Math.round(degree * 1e7) / 1e7 === degree))
    }
  })
})

/** Twice the area inside a ring, positive when it runs counterclockwise. */
const turn = (ring: Ring) =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + (ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0), 0)

describe('GET /v1/frames/at', () => {
  it('answers the frame that contains the point, the lowest of several, with what is recorded; kept ten minutes', async () => {
    const inside = await service().db.rows<{ lon: number; lat: number }>(
      `select ST_X(p) as lon, ST_Y(p) as lat
       from (select ST_PointOnSurface(geom) as p from frame where zone is null or ST_NPoints(geom) > 20 limit 20) as f`,
      [],
    )
    for (const { lon, lat } of [...inside, { lon: 0.205, lat: 0.105 }, { lon: 0.21, lat: 0.11 }]) {
      const [lowest] = await rowsOf(`ST_Covers(geom, ST_SetSRID(ST_MakePoint(${lon}, ${lat}), 4326))`)
      const { text, headers } = await get(`/v1/frames/at?lat=${lat}&lon=${lon}`)
      assert.equal(text, `{"data":${lowest?.whole}}`)
      assert.equal(headers.get('cache-control'), 'private, max-age=600')
      assert.equal(headers.get('etag'), null)
    }
  })
})
