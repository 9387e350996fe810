/** The frames of a unit or a box, a page at a time, each frame once and in the same order at every run. */
import type { Api } from './api.js'

export type Geometry = { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown }
export type Feature = { type: 'Feature'; id: string; geometry: Geometry; properties: Record<string, string> }
type Box = [minLon: number, minLat: number, maxLon: number, maxLat: number]
type Collection = { features: Feature[]; truncated?: boolean; next?: string }

/** A unit or a box, and how many frames a call may bring: as many as the API gives, where it is not said. */
export type Wanted = { limit?: string | undefined } & (
  | { state: string; lga?: string | undefined; ward?: string | undefined; bbox?: undefined }
  | { bbox: string; state?: undefined; lga?: undefined; ward?: undefined }
)

/** The frames that are written already: the last of a unit's, all of a box's. */
export type Written = { last: string | undefined; ids: ReadonlySet<string> }

const IDS_AT_ONCE = 100
/** A box this small that is still cut short is not of this grid. */
const SMALLEST = 1e-4

export function firstPath({ state, lga, ward, bbox, limit }: Wanted): string {
  const given = Object.entries({ state, lga, ward, bbox, limit })
  const asked = given.filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/v1/frames?${new URLSearchParams(asked).toString()}`
}

/** The tag of the index: it is another when the index is. */
export async function tagNow(api: Api, wanted: Wanted, before?: string): Promise<string | undefined> {
  const answered = await api(firstPath({ ...wanted, limit: '1' }), before)
  return answered.unchanged ? before : answered.tag
}

export async function* pages(api: Api, wanted: Wanted, { last, ids }: Written): AsyncGenerator<Feature[]> {
  if (wanted.bbox === undefined) {
    yield* pagesOfUnit(api, firstPath(wanted), last)
    return
  }
  const seen = new Set(ids)
  for await (const features of piecesOfBox(api, wanted.bbox, wanted.limit)) {
    const fresh = features.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    yield fresh
  }
}

async function* pagesOfUnit(api: Api, path: string, last: string | undefined): AsyncGenerator<Feature[]> {
  for (let after = last; ;) {
    const page = await collection(api, after === undefined ? path : `${path}&after=${after}`)
    yield page.features
    if (page.next === undefined) return
    after = page.next
  }
}

/** A box is not paged: one that holds more than an answer carries is asked for in quarters. */
async function* piecesOfBox(api: Api, bbox: string, limit: string | undefined): AsyncGenerator<Feature[]> {
  const page = await collection(api, firstPath({ bbox, limit }))
  if (page.truncated !== true) {
    yield page.features
    return
  }
  const [west, south, east, north] = bbox.split(',').map(Number) as Box
  if (east - west < SMALLEST && north - south < SMALLEST) throw new Error(`The box ${bbox} holds too many frames.`)
  const [midLon, midLat] = [(west + east) / 2, (south + north) / 2]
  const quarters: Box[] = [
    [west, south, midLon, midLat],
    [midLon, south, east, midLat],
    [west, midLat, midLon, north],
    [midLon, midLat, east, north],
  ]
  for (const quarter of quarters) yield* piecesOfBox(api, quarter.join(','), limit)
}

async function collection(api: Api, path: string): Promise<Collection> {
  const answered = await api<Collection>(path)
  if (answered.unchanged) throw new Error('The API answered 304 to a question without a tag.')
  return answered.data
}

/** The units of each frame, which a collection does not carry, among its properties. */
export async function withUnits(api: Api, features: readonly Feature[]): Promise<Feature[]> {
  const named: Feature[] = []
  for (let from = 0; from < features.length; from += IDS_AT_ONCE) {
    const some = features.slice(from, from + IDS_AT_ONCE)
    const answered = await api<{ id: string; admin?: Record<string, string> }[]>(
      `/v1/frames?ids=${some.map(({ id }) => id).join(',')}`,
    )
    if (answered.unchanged) throw new Error('The API answered 304 to a question without a tag.')
    const units = new Map(answered.data.map(({ id, admin }) => [id, admin ?? {}]))
    named.push(
      ...some.map((feature) => ({ ...feature, properties: { ...feature.properties, ...units.get(feature.id) } })),
    )
  }
  return named
}
