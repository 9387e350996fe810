/** Reads the records of datasets on frames, whose JSON text is sent as it is, and finds those that have a price. */
import type { DatasetRow, Reader } from '../db/index.js'
import * as statements from '../db/statements.js'
import { isFrameId } from '../frame-id.js'
import { numberAt } from '../openapi.js'

/** The most features that one answer holds of one dataset. */
const FEATURES_MAX = numberAt('components', 'schemas', 'DatasetEntry', 'properties', 'features', 'maxItems')

/** The `values` of a baseline, or the `features` of another dataset, as JSON text. */
export type DatasetRecords = { values?: string; features?: string[]; truncated?: true }
/** `bbox` is undefined, and `records` empty, where the index does not know the id. */
export type FrameRecords = { id: string; bbox: string | undefined; records: Map<DatasetRow, DatasetRecords> }

/** Answers in the order of `ids`. An id that no index can hold is not sent to the database. */
export async function recordsOn(
  reader: Reader,
  ids: readonly string[],
  datasets: readonly DatasetRow[],
): Promise<FrameRecords[]> {
  const frames = ids.map((id): FrameRecords => ({ id, bbox: undefined, records: new Map() }))
  const read = frames.filter(({ id }) => isFrameId(id))
  const readIds = read.map(({ id }) => id)
  const baselines = datasets.filter(({ kind }) => kind === 'frames')
  const featureDatasets = datasets.filter(({ kind }) => kind !== 'frames')
  const [boxes, values, features] = await Promise.all([
    statements.frameBoxes(reader, readIds),
    baselines.length > 0 ? statements.recordsOfBaselines(reader, readIds, layerIds(baselines)) : [],
    featureDatasets.length > 0
      ? statements.recordsOfFeatures(reader, readIds, layerIds(featureDatasets), FEATURES_MAX)
      : [],
  ])

  for (const { place, bbox } of boxes) atPlace(read, place).bbox = bbox
  for (const { place, layer, recorded } of values) {
    atPlace(read, place).records.set(atPlace(baselines, layer), { values: recorded })
  }
  for (const { place, layer, ...feature } of features) {
    const { records } = atPlace(read, place)
    const dataset = atPlace(featureDatasets, layer)
    const found = records.get(dataset) ?? { features: [] }
    records.set(dataset, found)
    if (feature.id === null) found.truncated = true
    else found.features?.push(featureJson(feature))
  }
  // An import may remove a frame between two of the statements. Its records do not count.
  for (const { bbox, records } of frames) if (bbox === undefined) records.clear()
  return frames
}

/** Keeps the datasets that record something on at least one of the frames. */
export const datasetsWithRecords = (frames: readonly FrameRecords[], datasets: readonly DatasetRow[]): DatasetRow[] =>
  datasets.filter((dataset) => frames.some(({ records }) => records.has(dataset)))

const layerIds = (datasets: readonly DatasetRow[]) => datasets.map(({ layerId }) => layerId)

/** SQL counts places in its arrays from 1. */
function atPlace<Item>(items: readonly Item[], place: number): Item {
  const item = items[place - 1]
  if (!item) throw new Error(`A row came for place ${place} of ${items.length}.`)
  return item
}

const featureJson = ({ id, geometry, properties }: { id: string; geometry: string; properties: string }) =>
  `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`

/** Returns the priced datasets that record something on these frames. Reads no record. */
export async function pricedOn(
  reader: Reader,
  frameIds: string[],
  datasets: readonly DatasetRow[],
): Promise<DatasetRow[]> {
  const priced = datasets.filter(({ price }) => price !== null)
  if (priced.length === 0) return []
  const layers = priced.map(({ layerId }) => layerId)
  const contributing = new Set(
    (await statements.datasetsContributing(reader, frameIds, layers)).map(({ layerId }) => layerId),
  )
  return priced.filter(({ layerId }) => contributing.has(layerId))
}
