/** Reads the values of each frame, for the table of an answer. */
import { featuresPerFrame, recordsOfBaselines } from '../db/statements.js'
import type { FrameSet, Reads, Recorded } from '../figures/index.js'

type TableColumn = { key: string; label: string; unit?: string }
export type Table = { columns: TableColumn[]; rows: Record<string, string>[] }

const COLUMNS_MAX = 12

/** Each frame has one row. The row has no key for a value that the frame does not record. The frames of a place have no table. */
export async function tableOf(reads: Reads, set: FrameSet, subjects: readonly Recorded[]): Promise<Table> {
  if (set.place) return { columns: [], rows: [] }
  const { frames } = set
  const distinct = [...new Set(subjects)]
  const shown = distinct.flatMap(({ dataset, entry }) => (entry ? [{ dataset, ...entry }] : [])).slice(0, COLUMNS_MAX)
  const counted = distinct.filter(({ entry }) => !entry).slice(0, COLUMNS_MAX - shown.length)
  const baselines = [...new Set(shown.map(({ dataset }) => dataset.layerId))]
  const layers = counted.map(({ dataset }) => dataset.layerId)
  const rows: Record<string, string>[] = frames.map((frameId) => ({ frameId }))
  const [records, counts] = await Promise.all([
    baselines.length > 0 ? reads.rows(recordsOfBaselines, frames, baselines) : [],
    layers.length > 0 ? reads.rows(featuresPerFrame, frames, layers) : [],
  ])
  for (const { place, layer, recorded } of records) {
    const values = JSON.parse(recorded) as Record<string, string>
    for (const { dataset, name } of shown) {
      const row = rows[place - 1]
      const value = values[name]
      if (dataset.layerId === baselines[layer - 1] && row && value !== undefined)
        row[`${dataset.layerId}.${name}`] = value
    }
  }
  for (const layerId of layers) for (const row of rows) row[layerId] = '0'
  for (const { place, layer, features: count } of counts) {
    const row = rows[place - 1]
    const layerId = layers[layer - 1]
    if (row && layerId !== undefined) row[layerId] = String(count)
  }
  const columns: TableColumn[] = [
    { key: 'frameId', label: 'Frame' },
    ...shown.map(({ dataset, name, label, unit }) => ({
      key: `${dataset.layerId}.${name}`,
      label,
      ...(unit !== null && { unit }),
    })),
    ...counted.map(({ dataset }) => ({ key: dataset.layerId, label: dataset.name })),
  ]
  return { columns, rows }
}
