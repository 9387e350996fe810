/** What datasets record on frames: read in two statements, kept as the text that is sent. */
import type { Reads } from '../db/replicas.js'
import { frameBoxes, recordsOfBaselines, recordsOfFeatures, type DatasetRow } from '../db/statements.js'

/** Of each dataset, in one answer. */
export const FEATURES_MAX = 200

/** `values` of a baseline or `features` of the others, as JSON text. */
export type Entry = { dataset: DatasetRow; values?: string; features?: string[]; truncated?: true }
export type FrameRecords = { id: string; bbox: string | undefined; entries: Entry[] }

/** Of frames in the order asked, entries in the order of the datasets; ids that the index does not know have none. */
export async function recordsOn(
  reads: Reads,
  ids: readonly string[],
  mayBeFrame: (id: string) => boolean,
  datasets: readonly DatasetRow[],
): Promise<FrameRecords[]> {
  const known = ids.filter(mayBeFrame)
  const baselines = datasets.filter(({ kind }) => kind === 'frames')
  const others = datasets.filter(({ kind }) => kind !== 'frames')
  const layers = (some: readonly DatasetRow[]) => some.map(({ layerId }) => layerId)
  const [boxes, rows, features] = await Promise.all([
    frameBoxes(reads, known),
    baselines.length > 0 ? recordsOfBaselines(reads, known, layers(baselines)) : [],
    others.length > 0 ? recordsOfFeatures(reads, known, layers(others), FEATURES_MAX) : [],
  ])

  const boxOf = new Map(boxes.map(({ place, bbox }) => [known[place - 1], bbox]))
  const entriesOf = new Map(known.map((id) => [id, new Map<DatasetRow, Entry>()]))
  const entry = (place: number, dataset: DatasetRow | undefined): Entry | undefined => {
    const entries = entriesOf.get(known[place - 1] ?? '')
    if (!entries || !dataset) return undefined
    const made = entries.get(dataset) ?? { dataset }
    entries.set(dataset, made)
    return made
  }
  for (const { place, layer, recorded } of rows) {
    const made = entry(place, baselines[layer - 1])
    if (made) made.values = recorded
  }
  for (const row of features) {
    const made = entry(row.place, others[row.layer - 1])
    if (!made) continue
    made.features ??= []
    if (row.id === null) made.truncated = true
    else made.features.push(featureJson(row))
  }
  return ids.map((id) => ({
    id,
    bbox: boxOf.get(id),
    entries: boxOf.has(id) ? datasets.flatMap((dataset) => entriesOf.get(id)?.get(dataset) ?? []) : [],
  }))
}

/** In the order of the datasets. */
export const contributing = (frames: readonly FrameRecords[], datasets: readonly DatasetRow[]): DatasetRow[] => {
  const found = new Set(frames.flatMap(({ entries }) => entries.map(({ dataset }) => dataset)))
  return datasets.filter((dataset) => found.has(dataset))
}

const featureJson = ({ id, geometry, properties }: { id: string; geometry: string; properties: string }) =>
  `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`
