/** Reads the frames of a unit or a box page by page: each frame once, in the same order at every run. */
import { dataAt, piecesOf, sideBySide, type Api } from './api.js'

export type Geometry = { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown }
export type Feature = { type: 'Feature'; id: string; geometry: Geometry; properties: Record<string, string> }
type Corners = [minLon: number, minLat: number, maxLon: number, maxLat: number]
type Collection = { features: Feature[]; truncated?: boolean; next?: string }

/** `limit`: how many frames a call may bring; without it, as many as the API gives. */
export type FrameSelection = { limit?: string | undefined } & (
  | { state: string; lga?: string | undefined; ward?: string | undefined; bbox?: undefined }
  | { bbox: string; state?: undefined; lga?: undefined; ward?: undefined }
)

/** The frames that an earlier run wrote. A unit goes on after the last; a box skips all. */
export type WrittenFrames = { last: string | undefined; ids: ReadonlySet<string> }

/** Degrees. A smaller box that holds more than an answer carries is an error of the service. */
const SMALLEST_BOX = 1e-4

export function firstPath({ state, lga, ward, bbox, limit }: FrameSelection): string {
  const parameters = Object.entries({ state, lga, ward, bbox, limit })
  const present = parameters.filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/v1/frames?${new URLSearchParams(present).toString()}`
}

/** Returns the ETag of a path: another index has another. `before` is the ETag that the caller has. */
export async function currentTag(api: Api, path: string, before?: string): Promise<string | undefined> {
  const answer = await api(path, before)
  return answer.unchanged ? before : answer.tag
}

export async function* pages(
  api: Api,
  selection: FrameSelection,
  { last, ids }: WrittenFrames,
): AsyncGenerator<Feature[]> {
  if (selection.bbox === undefined) {
    yield* pagesOfUnit(api, firstPath(selection), last)
    return
  }
  const seen = new Set(ids)
  for await (const features of piecesOfBox(api, selection.bbox, selection.limit)) {
    const fresh = features.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    yield fresh
  }
}

async function* pagesOfUnit(api: Api, path: string, last: string | undefined): AsyncGenerator<Feature[]> {
  for (let after = last; ;) {
    const page = await fetchCollection(api, after === undefined ? path : `${path}&after=${after}`)
    yield page.features
    if (page.next === undefined) return
    after = page.next
  }
}

/** A box is not paged: one that holds more than an answer carries is asked for in quarters. */
async function* piecesOfBox(api: Api, bbox: string, limit: string | undefined): AsyncGenerator<Feature[]> {
  const page = await fetchCollection(api, firstPath({ bbox, limit }))
  if (page.truncated !== true) {
    yield page.features
    return
  }
  const [west, south, east, north] = bbox.split(',').map(Number) as Corners
  if (east - west < SMALLEST_BOX && north - south < SMALLEST_BOX)
    throw new Error(`The box ${bbox} holds too many frames.`)
  const [midLon, midLat] = [(west + east) / 2, (south + north) / 2]
  const quarters: Corners[] = [
    [west, south, midLon, midLat],
    [midLon, south, east, midLat],
    [west, midLat, midLon, north],
    [midLon, midLat, east, north],
  ]
  for (const quarter of quarters) yield* piecesOfBox(api, quarter.join(','), limit)
}

const fetchCollection = (api: Api, path: string): Promise<Collection> => dataAt<Collection>(api, path)

/** Adds its units to the properties of each frame. A collection carries none; frames by id do. */
export async function withUnits(api: Api, features: readonly Feature[]): Promise<Feature[]> {
  const groups = await sideBySide(api, piecesOf(features, api.idsAtOnce), async (some) => {
    const frames = await dataAt<{ id: string; admin?: Record<string, string> }[]>(
      api,
      `/v1/frames?ids=${some.map(({ id }) => id).join(',')}`,
    )
    const units = new Map(frames.map(({ id, admin }) => [id, admin ?? {}]))
    return some.map((feature) => ({ ...feature, properties: { ...feature.properties, ...units.get(feature.id) } }))
  })
  return groups.flat()
}
