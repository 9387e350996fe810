/** What datasets record on frames: read in two statements, kept as the text that is sent. */
import type { Reads } from '../db/replicas/replicas.js'
import { frameBoxes, recordsOfBaselines, recordsOfFeatures, type DatasetRow } from '../db/statements.js'

/** Of each dataset, in one answer. */
export const FEATURES_MAX = 200

/** `values` of a baseline or `features` of the others, as JSON text. */
export type Entry = { values?: string; features?: string[]; truncated?: true }
/** Each entry is at the place of its dataset; there is none where nothing is recorded. */
export type FrameRecords = { id: string; bbox: string | undefined; entries: (Entry | undefined)[] }

/** Of frames in the order asked; ids that the index does not know have no entries. */
export async function recordsOn(
  reads: Reads,
  ids: readonly string[],
  mayBeFrame: (id: string) => boolean,
  datasets: readonly DatasetRow[],
): Promise<FrameRecords[]> {
  const frames = ids.map((id): FrameRecords => ({ id, bbox: undefined, entries: [] }))
  const known = frames.filter(({ id }) => mayBeFrame(id))
  const knownIds = known.map(({ id }) => id)
  const baselines = datasets.filter(({ kind }) => kind === 'frames')
  const others = datasets.filter(({ kind }) => kind !== 'frames')
  const layers = (some: readonly DatasetRow[]) => some.map(({ layerId }) => layerId)
  const [boxes, rows, features] = await Promise.all([
    frameBoxes(reads, knownIds),
    baselines.length > 0 ? recordsOfBaselines(reads, knownIds, layers(baselines)) : [],
    others.length > 0 ? recordsOfFeatures(reads, knownIds, layers(others), FEATURES_MAX) : [],
  ])

  for (const { place, bbox } of boxes) {
    const frame = known[place - 1]
    if (frame) frame.bbox = bbox
  }
  const places = (some: readonly DatasetRow[]) => some.map((dataset) => datasets.indexOf(dataset))
  const baselinePlaces = places(baselines)
  const otherPlaces = places(others)
  for (const { place, layer, recorded } of rows) {
    const frame = known[place - 1]
    const at = baselinePlaces[layer - 1]
    if (frame?.bbox !== undefined && at !== undefined) frame.entries[at] = { values: recorded }
  }
  for (const row of features) {
    const frame = known[row.place - 1]
    const at = otherPlaces[row.layer - 1]
    if (frame?.bbox === undefined || at === undefined) continue
    const entry = (frame.entries[at] ??= { features: [] })
    if (row.id === null) entry.truncated = true
    else entry.features?.push(featureJson(row))
  }
  return frames
}

/** In the order of the datasets. */
export const contributing = (frames: readonly FrameRecords[], datasets: readonly DatasetRow[]): DatasetRow[] =>
  datasets.filter((_, at) => frames.some(({ entries }) => entries[at] !== undefined))

const featureJson = ({ id, geometry, properties }: { id: string; geometry: string; properties: string }) =>
  `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`
