import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { sampleOfCases } from '../support/sample.js'
import { fixture, get, service, type Answer } from '../support/service.js'

type Point = readonly [lon: number, lat: number]
type Ring = readonly Point[]
type Covering = { place: number; lowest: string | null; frames: number }

const outline = JSON.parse(readFileSync(fixture('outline.geojson'), 'utf8')) as {
  features: [{ geometry: { coordinates: Ring[][] } }]
}
const polygons = outline.features[0].geometry.coordinates
const hull = polygons.flatMap(([shell = []]) => sidesOf(shell))
const shores = polygons.flatMap(([, ...holes]) => holes.flatMap(sidesOf))

function sidesOf(ring: Ring): [from: Point, to: Point][] {
  return ring.slice(1).map((to, i) => [ring[i] ?? to, to])
}

/** The doubles next to a number. */
function besides(number: number, steps: number): number {
  if (steps === 0) return number
  if (number === 0) return steps * Number.MIN_VALUE
  const bits = new BigInt64Array(Float64Array.of(number).buffer)
  bits[0] = (bits[0] ?? 0n) + BigInt(number > 0 ? steps : -steps)
  return new Float64Array(bits.buffer)[0] ?? number
}

const ulp = fc.integer({ min: -1, max: 1 })
const nudged = (point: fc.Arbitrary<Point>): fc.Arbitrary<Point> =>
  fc.tuple(point, ulp, ulp).map(([[lon, lat], east, north]) => [besides(lon, east), besides(lat, north)] as const)

/** Spread evenly: fc.double would spread over the exponents, nearly all of them next to zero. */
const double = (min: number, max: number) =>
  fc.integer({ min: 0, max: 2 ** 40 }).map((part) => min + (part / 2 ** 40) * (max - min))
const lon = double(-0.75, 0.6)
const lat = double(-0.8, 0.6)
/** Cell edges are whole hundredths of a degree. */
const meridian = fc.integer({ min: -75, max: 60 }).map((hundredths) => hundredths / 100)
const parallel = fc.integer({ min: -80, max: 60 }).map((hundredths) => hundredths / 100)
const anywhere: fc.Arbitrary<Point> = fc.tuple(lon, lat)
const corner: fc.Arbitrary<Point> = fc.tuple(meridian, parallel)
const edge: fc.Arbitrary<Point> = fc.oneof(fc.tuple(meridian, lat), fc.tuple(lon, parallel))
const along = (sides: readonly [Point, Point][]): fc.Arbitrary<Point> =>
  fc
    .tuple(fc.constantFrom(...sides), fc.oneof(fc.constantFrom(0, 0.5), double(0, 1)))
    .map(([[from, to], part]) => [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])] as const)

/** "offset 0" keeps the index out: every frame is put to the test, point by point. */
const bruteForce = `select place::int as place, min(frame_id)::text as lowest, count(frame_id)::int as frames
  from unnest($1::float8[], $2::float8[]) with ordinality as point (lon, lat, place)
  left join (select frame_id, geom from frame offset 0) as every
    on ST_Covers(every.geom, ST_SetSRID(ST_MakePoint(lon, lat), 4326))
  group by place
  order by place`

const coveringAll = (points: readonly Point[]) =>
  service().db.rows<Covering>(bruteForce, [points.map((point) => point[0]), points.map((point) => point[1])])

function idOf({ status, body, text }: Answer): string | null {
  const { data, error } = body as { data?: { id: string }; error?: { code: string } }
  if (status === 404 && error?.code === 'not_found' && data === undefined) return null
  assert.ok(status === 200 && typeof data?.id === 'string', `${status} ${text}`)
  return data.id
}

async function ask([east, north]: Point): Promise<string | null> {
  const path = `/v1/frames/at?lat=${north}&lon=${east}`
  const [first, second] = await Promise.all([get(path), get(path)])
  assert.equal(idOf(first), idOf(second), `${path}: asked twice`)
  if (first.status === 200) assert.equal(first.text, second.text, `${path}: asked twice`)
  return idOf(first)
}

/**
 * Puts points to the service and to brute force, fifty at a time; answers with how many frames cover each.
 * A failure lists the points at fault, so that fifty need not be shrunk.
 */
async function compare(point: fc.Arbitrary<Point>, fewFifties: number): Promise<number[]> {
  const seen: number[] = []
  const fifty = fc.array(point, { minLength: 50, maxLength: 50 })
  const property = fc.asyncProperty(fifty, async (points) => {
    // One after the other: the embedded database would have the answers wait for brute force beyond their deadline.
    const covering = await coveringAll(points)
    const answers = await Promise.all(points.map(ask))
    const wrong = points
      .map((where, i) => ({ where, answered: answers[i], lowest: covering[i]?.lowest }))
      .filter(({ answered, lowest }) => answered !== lowest)
    assert.deepEqual(wrong, [])
    seen.push(...covering.map(({ frames }) => frames))
  })
  await fc.assert(property, { ...sampleOfCases(fewFifties, 20), endOnFailure: true })
  return seen
}

const some = (seen: readonly number[], such: (frames: number) => boolean) => assert.ok(seen.some(such))

describe('a point is answered by the lowest id of the frames that cover it, by 404 where none does', () => {
  it('anywhere in and around the country', async () => {
    const seen = await compare(anywhere, 2)
    some(seen, (frames) => frames === 0)
    some(seen, (frames) => frames === 1)
  })

  it('on corners of cells', async () => {
    const seen = await compare(corner, 1)
    some(seen, (frames) => frames === 4)
  })

  it('on edges of cells', async () => {
    const seen = await compare(edge, 1)
    some(seen, (frames) => frames === 2)
  })

  it('within one ulp of corners and edges of cells', async () => {
    const seen = await compare(nudged(fc.oneof(corner, edge)), 2)
    some(seen, (frames) => frames === 2)
  })

  it('on the hull and within one ulp of it', async () => {
    const seen = await compare(nudged(along(hull)), 2)
    some(seen, (frames) => frames === 0)
    some(seen, (frames) => frames > 0)
  })

  it('on the shores of lakes and within one ulp of them', async () => {
    const seen = await compare(nudged(along(shores)), 2)
    some(seen, (frames) => frames === 0)
    some(seen, (frames) => frames > 0)
  })

  it('where numbers are smallest: on the equator and the meridian, a denormal beside them', async () => {
    const tiny = fc.constantFrom(0, Number.MIN_VALUE, -Number.MIN_VALUE, 1e-300, -1e-300, 2 ** -1022, -(2 ** -1022))
    const origin = fc.constant<Point>([0, 0])
    const seen = await compare(fc.oneof(origin, fc.tuple(tiny, tiny), fc.tuple(tiny, lat), fc.tuple(lon, tiny)), 1)
    some(seen, (frames) => frames === 4)
  })

  it('on corners of the frames as they are sent, and within one ulp of them', async () => {
    const rows = await service().db.rows<{ lon: number; lat: number }>(
      `select distinct ST_X(corner.geom) as lon, ST_Y(corner.geom) as lat
      from frame cross join lateral ST_DumpPoints(ST_GeomFromGeoJSON(geojson)) as corner
      where ST_NPoints(frame.geom) <> 5`,
      [],
    )
    const sent = rows.map((row): Point => [row.lon, row.lat])
    const seen = await compare(nudged(fc.constantFrom(...sent)), 2)
    some(seen, (frames) => frames > 1)
  })
})
