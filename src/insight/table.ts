/** The values of each frame: the table of an answer, and what a comparison sets side by side. */
import type { Reads } from '../db/replicas/replicas.js'
import { featuresPerFrame, recordsOfBaselines } from '../db/statements.js'
import type { Chosen } from './choose.js'
import { sourceOf, withUnit, type Facet } from './figures.js'

type Column = { key: string; label: string; unit?: string }
export type Table = { columns: Column[]; rows: Record<string, string>[] }

const COLUMNS_MAX = 12
/** More frames than this are compared in the table alone. */
const COMPARED_MAX = 5
const COMPARED_ATTRIBUTES = 4

/** A row a frame; a value that is not recorded is absent. */
export async function tableOf(reads: Reads, ids: readonly string[], { attributes, features }: Chosen): Promise<Table> {
  const shown = attributes.slice(0, COLUMNS_MAX)
  const counted = features.slice(0, COLUMNS_MAX - shown.length)
  const baselines = [...new Set(shown.map(({ dataset }) => dataset.layerId))]
  const layers = counted.map(({ dataset }) => dataset.layerId)
  const rows: Record<string, string>[] = ids.map((frameId) => ({ frameId }))
  const [records, counts] = await Promise.all([
    baselines.length > 0 ? recordsOfBaselines(reads, [...ids], baselines) : [],
    layers.length > 0 ? featuresPerFrame(reads, [...ids], layers) : [],
  ])
  for (const { place, layer, recorded } of records) {
    const values = JSON.parse(recorded) as Record<string, string>
    for (const { dataset, name } of shown) {
      const row = rows[place - 1]
      const value = values[name]
      if (dataset.layerId === baselines[layer - 1] && row && value !== undefined)
        row[keyOf(dataset.layerId, name)] = value
    }
  }
  for (const { dataset } of counted) for (const row of rows) row[dataset.layerId] = '0'
  for (const { place, layer, features: count } of counts) {
    const row = rows[place - 1]
    const layerId = layers[layer - 1]
    if (row && layerId !== undefined) row[layerId] = String(count)
  }
  const columns: Column[] = [
    { key: 'frameId', label: 'Frame' },
    ...shown.map(({ dataset, name, label, unit }) => ({
      key: keyOf(dataset.layerId, name),
      label,
      ...(unit === null ? {} : { unit }),
    })),
    ...counted.map(({ dataset }) => ({ key: dataset.layerId, label: dataset.name })),
  ]
  return { columns, rows }
}

const keyOf = (layerId: string, attribute: string) => `${layerId}.${attribute}`

/** A facet a frame and attribute, where there are few enough to be read. */
export function comparison({ rows }: Table, { attributes }: Chosen): Facet[] {
  if (rows.length < 2 || rows.length > COMPARED_MAX) return []
  return attributes.slice(0, COMPARED_ATTRIBUTES).flatMap((figure) =>
    rows.flatMap((row): Facet[] => {
      const { dataset, name, label, unit, type } = figure
      const value = row[keyOf(dataset.layerId, name)]?.trim()
      if (value === undefined || value === '' || (type === 'number' && !/^-?\d+(\.\d+)?$/.test(value))) return []
      const { frameId = '' } = row
      const of = `${label}, frame ${frameId}`
      return [
        {
          label: of,
          value: type === 'number' ? withUnit(value, unit) : value,
          source: sourceOf(figure, of, 'value', { frames: 1, frameId }),
          category: dataset.category,
          dataset,
        },
      ]
    }),
  )
}
