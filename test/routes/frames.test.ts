import assert from 'node:assert/strict'
import { get, service } from '../support/service.js'

type Ring = [number, number][]
type Geometry = { type: 'Polygon'; coordinates: Ring[] } | { type: 'MultiPolygon'; coordinates: Ring[][] }
type Frame = { id: string; geometry: Geometry; bbox: number[]; admin?: Record<string, string> }
type Feature = { type: string; id: string; geometry: Geometry; properties: object }
type Collection = { type: string; features: Feature[]; truncated?: boolean; next?: string }

const data = async <T>(path: string): Promise<T> => {
  const { status, body, text } = await get(path)
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(body as object), ['data'])
  return (body as { data: T }).data
}
const ids = (collection: Collection) => collection.features.map(({ id }) => id)
const polygons = (geometry: Geometry) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates)

/** Twice the area inside a ring, positive when it runs counterclockwise. */
const turn = (ring: Ring) =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + (ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0), 0)

const idOf = (lon: number, lat: number) => String(Math.round((lat + 90) * 100) * 36_000 + Math.round((lon + 180) * 100))

describe('GET /v1/frames/at', () => {
  it('answers the frame that contains the point, with its box and units', async () => {
    const frame = await data<Frame>('/v1/frames/at?lat=0.105&lon=0.205')
    assert.deepEqual(Object.keys(frame), ['id', 'geometry', 'bbox', 'admin'])
    assert.equal(frame.id, idOf(0.2, 0.1))
    assert.deepEqual(frame.bbox, [0.2, 0.1, 0.21, 0.11])
    assert.equal(frame.admin?.['state'], 'MAREMBE')
  })

  it('may be kept for ten minutes, and carries no ETag', async () => {
    const { headers } = await get('/v1/frames/at?lat=0.105&lon=0.205')
    assert.equal(headers.get('cache-control'), 'private, max-age=600')
    assert.equal(headers.get('etag'), null)
  })

  it('gives a shared corner to the lowest of its four frames', async () => {
    assert.equal((await data<Frame>('/v1/frames/at?lat=0.11&lon=0.21')).id, idOf(0.2, 0.1))
  })

  it('says not_found outside the grid', async () => {
    const { status, body } = await get('/v1/frames/at?lat=45&lon=90')
    assert.equal(status, 404)
    assert.equal((body as { error: { code: string } }).error.code, 'not_found')
  })

  it('leaves out the codes and zones that are not recorded', async () => {
    const [row] = await service().db.rows<{ lon: number; lat: number }>(
      `select ST_X(p) as lon, ST_Y(p) as lat from (select ST_PointOnSurface(geom) as p from frame where zone is null limit 1) as f`,
      [],
    )
    const { admin } = await data<Frame>(`/v1/frames/at?lat=${row?.lat}&lon=${row?.lon}`)
    assert.deepEqual(Object.keys(admin ?? {}).sort(), ['lga', 'lgaCode', 'state', 'stateCode', 'ward', 'wardCode'])
  })
})

describe('GET /v1/frames by box', () => {
  it('answers a FeatureCollection of every frame that touches it, edges included, in id order', async () => {
    const collection = await data<Collection>('/v1/frames?bbox=0.2,0.1,0.21,0.11')
    assert.deepEqual(Object.keys(collection), ['type', 'features'])
    assert.equal(collection.type, 'FeatureCollection')
    const around = [0.09, 0.1, 0.11].flatMap((lat) => [0.19, 0.2, 0.21].map((lon) => idOf(lon, lat)))
    assert.deepEqual(ids(collection), around)
    for (const feature of collection.features) {
      assert.deepEqual(Object.keys(feature), ['type', 'id', 'geometry', 'properties'])
      assert.equal(feature.type, 'Feature')
      assert.deepEqual(feature.properties, {})
    }
  })

  it('takes a point and a line as boxes', async () => {
    assert.deepEqual(ids(await data('/v1/frames?bbox=0.205,0.105,0.205,0.105')), [idOf(0.2, 0.1)])
    assert.deepEqual(ids(await data('/v1/frames?bbox=0.205,0.105,0.215,0.105')), [idOf(0.2, 0.1), idOf(0.21, 0.1)])
    assert.equal(ids(await data('/v1/frames?bbox=0.21,0.11,0.21,0.11')).length, 4)
  })

  it('is cut at limit, highest ids first, has truncated, and has no next', async () => {
    const all = ids(await data('/v1/frames?bbox=0.2,0.1,0.21,0.11'))
    const cut = await data<Collection>('/v1/frames?bbox=0.2,0.1,0.21,0.11&limit=4')
    assert.deepEqual(ids(cut), all.slice(0, 4))
    assert.equal(cut.truncated, true)
    assert.equal('next' in cut, false)
    assert.equal('truncated' in (await data<Collection>('/v1/frames?bbox=0.2,0.1,0.21,0.11&limit=9')), false)
  })

  it('carries 5,000 frames at most, whatever limit says', async () => {
    const country = await data<Collection>('/v1/frames?bbox=-2,-2,2,2&limit=6000')
    assert.equal(country.features.length, 5000)
    assert.equal(country.truncated, true)
  })

  it('is empty where there are no frames', async () => {
    assert.deepEqual(await data('/v1/frames?bbox=50,50,51,51'), { type: 'FeatureCollection', features: [] })
  })
})

describe('GET /v1/frames by unit', () => {
  it('gives every frame of a state, once, over its pages', async () => {
    const expected = await service().db.rows<{ id: string }>(
      "select frame_id::text as id from frame where state = 'MAREMBE' order by frame_id",
      [],
    )
    const seen: string[] = []
    for (let after = ''; ;) {
      const page = await data<Collection>(`/v1/frames?state=Marembe&limit=1000${after}`)
      seen.push(...ids(page))
      assert.equal(page.truncated, page.next === undefined ? undefined : true)
      if (page.next === undefined) break
      assert.equal(page.next, ids(page).at(-1))
      after = `&after=${page.next}`
    }
    assert.deepEqual(
      seen,
      expected.map(({ id }) => id),
    )
  })

  it('has no next on a last page that is exactly full', async () => {
    const ward = '/v1/frames?state=marembe&lga=lakeside&ward=lake island'
    const all = await data<Collection>(ward)
    const full = await data<Collection>(`${ward}&limit=${all.features.length}`)
    assert.deepEqual(full, all)
    const cut = await data<Collection>(`${ward}&limit=${all.features.length - 1}`)
    assert.equal(cut.truncated, true)
    assert.deepEqual(ids(await data<Collection>(`${ward}&after=${cut.next}`)), ids(all).slice(-1))
  })

  it('matches names without regard to case, blanks and how accents are composed', async () => {
    const spellings = ['Côte Évora', 'CÔTE ÉVORA', 'côte évora', ' côte   évora ', 'côte évora'.normalize('NFD')]
    const counts = await Promise.all(
      spellings.map(
        async (name) => (await data<Collection>(`/v1/frames?state=${encodeURIComponent(name)}`)).features.length,
      ),
    )
    assert.deepEqual(new Set(counts), new Set([2860]))
  })

  it('is empty for an unknown unit, and for a unit of another state', async () => {
    assert.deepEqual(ids(await data('/v1/frames?state=atlantis')), [])
    assert.deepEqual(ids(await data("/v1/frames?state=n'dara&lga=lakeside")), [])
  })

  it('tells apart areas of two states that share a name', async () => {
    const [one, two] = await Promise.all(
      ['marembe', 'oke/isale'].map(async (state) => ids(await data(`/v1/frames?state=${state}&lga=central`))),
    )
    assert.ok((one?.length ?? 0) > 0 && (two?.length ?? 0) > 0)
    assert.equal(new Set([...(one ?? []), ...(two ?? [])]).size, (one?.length ?? 0) + (two?.length ?? 0))
  })
})

describe('GET /v1/frames by id', () => {
  it('answers whole frames in the order asked, a repeated id once, unknown ids left out', async () => {
    const [a, b] = [idOf(0.2, 0.1), idOf(0.21, 0.1)]
    const frames = await data<Frame[]>(`/v1/frames?ids=${b},1,${a},${b},00${a},99999999999999999999`)
    assert.deepEqual(
      frames.map(({ id }) => id),
      [b, a],
    )
    assert.deepEqual(frames[1], await data('/v1/frames/at?lat=0.105&lon=0.205'))
  })

  it('has boxes that bound the geometry, and rings that run counterclockwise at 7 decimals', async () => {
    const odd = await service().db.rows<{ id: string }>(
      "select frame_id::text as id from frame where GeometryType(geom) = 'MULTIPOLYGON' or ST_NPoints(geom) > 20 limit 100",
      [],
    )
    const frames = await data<Frame[]>(`/v1/frames?ids=${odd.map(({ id }) => id).join(',')}`)
    assert.equal(frames.length, 100)
    assert.ok(frames.some(({ geometry }) => geometry.type === 'MultiPolygon'))
    for (const { geometry, bbox } of frames) {
      const places = polygons(geometry).flat(2)
      const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)]
      assert.deepEqual(bbox, [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)])
      for (const [outer = [], ...holes] of polygons(geometry)) {
        assert.ok(turn(outer) > 0)
        assert.ok(holes.every((hole) => turn(hole) < 0))
      }
      assert.ok(places.flat().every((degree) => Math.round(degree * 1e7) / 1e7 === degree))
    }
  })
})
