import assert from 'node:assert/strict'
import fc from 'fast-check'
import { CRS84 } from '../../src/api/ogc/crs.js'
import { EVERYTHING } from '../../src/api/ogc/items.js'
import { itemsBoxParam } from '../../src/api/ogc/params.js'
import { itemsOfBaseline, itemsOfFrames } from '../../src/api/ogc/statements.js'
import { type Page, pageOf } from '../../src/core/db/page.js'
import { framesInBox, framesInAreaPage } from '../../src/core/db/statements.js'
import { sampleOfCases } from '../support/sample.js'
import { get, service } from '../support/service.js'

type Box = readonly [minLon: number, minLat: number, maxLon: number, maxLat: number]
type Span = readonly [number, number]

/** Cell edges are whole hundredths of a degree. */
const cellEdge = (min: number, max: number) => fc.integer({ min, max }).map((hundredths) => hundredths / 100)
/** Spread evenly: fc.double would spread over the exponents, nearly all of them next to zero. */
const double = (min: number, max: number) =>
  fc.integer({ min: 0, max: 2 ** 40 }).map((part) => min + (part / 2 ** 40) * (max - min))

/** The doubles next to a number other than 0. */
function besides(number: number, steps: number): number {
  const bits = new BigInt64Array(Float64Array.of(number).buffer)
  bits[0] = (bits[0] ?? 0n) + BigInt(steps)
  return new Float64Array(bits.buffer)[0] ?? number
}

const inOrder = ([one, other]: Span): Span => (one < other ? [one, other] : [other, one])

/** Makes spans from nothing to the whole country on one axis. `ends` chooses their numbers. */
function span(ends: fc.Arbitrary<number>): fc.Arbitrary<Span> {
  const nearby = fc.tuple(ends, fc.constantFrom(1e-12, 1e-7, 0.0001, 0.004, 0.01, 0.03, 0.1))
  return fc.oneof(
    fc.tuple(ends, ends).map(inOrder),
    nearby.map(([from, length]): Span => [from, from + length]),
    ends.map((at): Span => [at, at]),
  )
}

const boxOf = (lons: fc.Arbitrary<Span>, lats: fc.Arbitrary<Span>): fc.Arbitrary<Box> =>
  fc.tuple(lons, lats).map(([[west, east], [south, north]]) => [west, south, east, north] as const)

const [lon, lat] = [double(-0.75, 0.6), double(-0.8, 0.6)]
const [meridian, parallel] = [cellEdge(-75, 60), cellEdge(-80, 60)]
const anyBox = boxOf(span(lon), span(lat))
const edgeBox = boxOf(fc.tuple(meridian, meridian).map(inOrder), fc.tuple(parallel, parallel).map(inOrder))
const smallEdgeBox = fc
  .tuple(meridian, parallel, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
  .map(([west, south, columns, rows]): Box => {
    return [west, south, Math.round(west * 100 + columns) / 100, Math.round(south * 100 + rows) / 100]
  })
function ofCorners([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Box {
  const [[minLon, maxLon], [minLat, maxLat]] = [inOrder([west, east]), inOrder([south, north])]
  return [minLon, minLat, maxLon, maxLat]
}
/** Corners on cell edges, or the double beside them. */
const nudgedBox = fc
  .tuple(smallEdgeBox, fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 4, maxLength: 4 }))
  .map(([box, steps]) => box.map((corner, i) => (corner === 0 ? 0 : besides(corner, steps[i] ?? 0))))
  .map(ofCorners)
/**
 * Edges within two hundred-thousandths of a degree of cell edges, where GiST, which rounds, cannot tell in from out.
 */
const nearBox = fc
  .tuple(smallEdgeBox, fc.array(fc.integer({ min: -200, max: 200 }), { minLength: 4, maxLength: 4 }))
  .map(([box, steps]) => box.map((corner, i) => corner + (steps[i] ?? 0) / 1e7))
  .map(ofCorners)
const point = boxOf(
  fc.oneof(lon, meridian).map((at): Span => [at, at]),
  fc.oneof(lat, parallel).map((at): Span => [at, at]),
)
const line = fc.oneof(
  boxOf(
    span(lon),
    fc.oneof(lat, parallel).map((at): Span => [at, at]),
  ),
  boxOf(
    fc.oneof(lon, meridian).map((at): Span => [at, at]),
    span(lat),
  ),
)
const country: Box = [-0.72, -0.75, 0.56, 0.57]
const largeBox = fc.tuple(double(0, 0.4), double(0, 0.4), double(0, 0.4), double(0, 0.4)).map(([w, s, e, n]): Box => {
  return [country[0] + w, country[1] + s, country[2] - e, country[3] - n]
})

/** "offset 0" keeps the index out. ST_Envelope makes a point or a line of a box without width. */
const bruteForce = `select coalesce(array_agg(frame_id::text order by frame_id), '{}') as ids
  from (select frame_id, geom from frame offset 0) as every
  where ST_Intersects(every.geom, ST_SetSRID(ST_Envelope(ST_MakeLine(
    ST_MakePoint($1::float8, $2::float8), ST_MakePoint($3::float8, $4::float8))), 4326))`

async function touching(box: Box): Promise<string[]> {
  const [row] = await service().db.rows<{ ids: string[] }>(bruteForce, box)
  assert.ok(row)
  return row.ids
}

async function ask(box: Box, limit?: number): Promise<{ ids: string[]; truncated: boolean | undefined }> {
  const answer = await get(`/v1/frames?bbox=${box.join(',')}${limit === undefined ? '' : `&limit=${limit}`}`)
  assert.equal(answer.status, 200, answer.text)
  const { data } = answer.body as { data: { features: { id: string }[]; truncated?: boolean; next?: string } }
  assert.ok(!('next' in data), 'a box has no pages')
  return { ids: data.features.map(({ id }) => id), truncated: data.truncated }
}

/** Compares the answer with brute force, also under limits around the number of frames. Returns that number. */
async function compare(box: Box): Promise<number> {
  const ids = await touching(box)
  const limits = [ids.length, ids.length - 1, ids.length + 1].filter((limit) => limit > 0)
  for (const limit of [undefined, ...limits]) {
    const most = Math.min(limit ?? 5000, 5000)
    assert.deepEqual(
      await ask(box, limit),
      { ids: ids.slice(0, most), truncated: ids.length > most ? true : undefined },
      `bbox ${box.join(',')}, limit ${limit}, ${ids.length} frames`,
    )
  }
  return ids.length
}

const holds = async (boxes: fc.Arbitrary<Box>, few: number, many: number) => {
  const seen: number[] = []
  const property = fc.asyncProperty(boxes, async (box) => void seen.push(await compare(box)))
  await fc.assert(property, sampleOfCases(few, many))
  return seen
}

describe('a box is answered by every frame that touches it, lowest ids first, truncated exactly when there are more', () => {
  it('as brute force does, which uses no index', async () => {
    const plan = await service().db.rows<{ 'QUERY PLAN': string }>(`explain ${bruteForce}`, country)
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(lines, /Seq Scan on frame/)
    assert.doesNotMatch(lines, /Index/)
  })

  it('from tiny to large', async () => {
    const seen = await holds(anyBox, 12, 200)
    assert.ok(seen.includes(0) && seen.some((frames) => frames > 100))
  })

  it('as large as the country and the world, more than the 5,000 of one answer', async () => {
    assert.equal(await compare(country), 12_411)
    assert.equal(await compare([-180, -90, 180, 90]), 12_411)
    const seen = await holds(largeBox, 3, 20)
    assert.ok(seen.some((frames) => frames > 5000))
  })

  it('with edges on the edges of cells', async () => {
    await holds(fc.oneof({ weight: 2, arbitrary: smallEdgeBox }, edgeBox), 10, 150)
  })

  it('with corners within one ulp of the corners of cells', async () => {
    await holds(nudgedBox, 12, 200)
  })

  it('with corners closer to those of cells than the index can tell', async () => {
    await holds(nearBox, 12, 200)
  })

  it('shrunk to a point', async () => {
    const seen = await holds(point, 30, 150)
    assert.ok(seen.includes(1) && Math.max(...seen) <= 4)
  })

  it('shrunk to a line', async () => {
    const seen = await holds(line, 10, 150)
    assert.ok(seen.some((frames) => frames > 4))
  })

  // No box of the fixture holds 20,000 frames: with the threshold lowered, the same text walks the runs of ids.
  it('of very many frames, which are walked by runs of ids', async () => {
    const boxes = fc.oneof({ weight: 3, arbitrary: largeBox }, anyBox, edgeBox, line)
    const fewest = fc.constantFrom(20, 200)
    let walked = 0
    const property = fc.asyncProperty(boxes, fewest, double(0, 1.2), async (box, threshold, part) => {
      const ids = await touching(box)
      const most = 1 + Math.floor(part * ids.length)
      const text = withThreshold(framesInBox.text, threshold)
      const [page] = await service().db.rows<{ features: string }>(text, [...box, most])
      const features = JSON.parse(`[${page?.features}]`) as { id: string }[]
      assert.deepEqual(
        features.map(({ id }) => id),
        ids.slice(0, most),
      )
      if (ids.length > threshold) walked += 1
    })
    const runs = sampleOfCases(10, 150)
    await fc.assert(property, runs)
    assert.ok(walked > runs.numRuns / 3)
  })
})

describe('the pages of a box', () => {
  it('are together every frame that touches it, in the order of ids, whatever the limit', async () => {
    const boxes = fc.oneof(anyBox, edgeBox, nudgedBox, nearBox, point, line, largeBox)
    let paged = 0
    const property = fc.asyncProperty(boxes, double(0.1, 1.2), async (box, part) => {
      const ids = await touching(box)
      const limit = 1 + Math.floor(part * ids.length)
      const read: string[] = []
      for (let after: string | undefined = '-1'; after !== undefined;) {
        const page: Page = await pageOf(framesInAreaPage, service().db, ['box', ...box.map(String)], after, limit)
        const features = JSON.parse(`[${page.features.toString()}]`) as { id: string }[]
        read.push(...features.map(({ id }) => id))
        after = page.next
        if (after !== undefined) paged += 1
      }
      assert.deepEqual(read, ids)
    })
    await fc.assert(property, sampleOfCases(30, 300))
    assert.ok(paged > 10)
  })
})

describe('the items of /ogc in a box', () => {
  it('are those frames too, found by GiST or walked by runs of ids', async () => {
    const boxes = fc.oneof(anyBox, edgeBox, nudgedBox, nearBox, point, line, largeBox)
    const held = `select frame_id::text as id from baseline where layer_id = 'lyr_population'`
    const recorded = new Set((await service().db.rows<{ id: string }>(held, [])).map(({ id }) => id))
    let walked = 0
    const property = fc.asyncProperty(boxes, fc.constantFrom(20, 200, 20_000), async (box, threshold) => {
      const ids = await touching(box)
      const area = JSON.stringify(itemsBoxParam(new Map([['bbox', [box.join()]]]), CRS84))
      for (const [{ text }, layer] of [[itemsOfFrames, []] as const, [itemsOfBaseline, ['lyr_population']] as const]) {
        const args = [...layer, area, EVERYTHING, CRS84, '-1', 20_000, 20_000]
        const rows = await service().db.rows<{ features: string }>(withThreshold(text, threshold), args)
        const items = JSON.parse(`[${rows.map(({ features }) => features).join()}]`) as { id: string }[]
        assert.deepEqual(
          items.map(({ id }) => id),
          layer.length === 0 ? ids : ids.filter((id) => recorded.has(id)),
        )
      }
      if (ids.length > threshold) walked += 1
    })
    await fc.assert(property, sampleOfCases(40, 600))
    assert.ok(walked > 5)
  })
})

function withThreshold(text: string, threshold: number): string {
  const replaced = text.replaceAll(/\b20000\b/g, String(threshold)).replaceAll(/\b20001\b/g, String(threshold + 1))
  for (const piece of [`limit ${threshold + 1}`, `<= ${threshold}`, `> ${threshold}`])
    assert.ok(replaced.includes(piece))
  return replaced
}
