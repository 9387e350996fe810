/** Reads the values of each frame, for the table of an answer and for the facets of a comparison. */
import type { Reader } from '../db/replicas/reader.js'
import { featuresPerFrame, recordsOfBaselines } from '../db/statements.js'
import { isPlainDecimal } from '../decimal.js'
import type { FacetChoice } from './choice.js'
import { attributeSource, withUnit, type Facet } from './facets.js'

type Column = { key: string; label: string; unit?: string }
export type Table = { columns: Column[]; rows: Record<string, string>[] }

const COLUMNS_MAX = 12
/** A person cannot read the facets of more frames: only the table compares them. */
const COMPARED_FRAMES = 5
const COMPARED_ATTRIBUTES = 4

/** Each frame has one row. The row has no key for a value that the frame does not record. */
export async function tableOf(
  reader: Reader,
  frameIds: readonly string[],
  { attributes, features }: FacetChoice,
): Promise<Table> {
  const shown = attributes.slice(0, COLUMNS_MAX)
  const counted = features.slice(0, COLUMNS_MAX - shown.length)
  const baselines = [...new Set(shown.map(({ dataset }) => dataset.layerId))]
  const layers = counted.map(({ dataset }) => dataset.layerId)
  const rows: Record<string, string>[] = frameIds.map((frameId) => ({ frameId }))
  const [records, counts] = await Promise.all([
    baselines.length > 0 ? recordsOfBaselines(reader, [...frameIds], baselines) : [],
    layers.length > 0 ? featuresPerFrame(reader, [...frameIds], layers) : [],
  ])
  for (const { place, layer, recorded } of records) {
    const values = JSON.parse(recorded) as Record<string, string>
    for (const { dataset, name } of shown) {
      const row = rows[place - 1]
      const value = values[name]
      if (dataset.layerId === baselines[layer - 1] && row && value !== undefined)
        row[columnKey(dataset.layerId, name)] = value
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
      key: columnKey(dataset.layerId, name),
      label,
      ...(unit === null ? {} : { unit }),
    })),
    ...counted.map(({ dataset }) => ({ key: dataset.layerId, label: dataset.name })),
  ]
  return { columns, rows }
}

const columnKey = (layerId: string, attribute: string) => `${layerId}.${attribute}`

export function comparisonFacets({ rows }: Table, { attributes }: FacetChoice): Facet[] {
  if (rows.length < 2 || rows.length > COMPARED_FRAMES) return []
  return attributes.slice(0, COMPARED_ATTRIBUTES).flatMap((figures) =>
    rows.flatMap((row): Facet[] => {
      const { dataset, name, label, unit, type } = figures
      const value = row[columnKey(dataset.layerId, name)]?.trim()
      if (value === undefined || value === '' || (type === 'number' && !isPlainDecimal(value))) return []
      const { frameId = '' } = row
      const frameLabel = `${label}, frame ${frameId}`
      return [
        {
          label: frameLabel,
          value: type === 'number' ? withUnit(value, unit) : value,
          source: attributeSource(figures, frameLabel, 'value', { frames: 1, frameId }),
          category: dataset.category,
          dataset,
        },
      ]
    }),
  )
}
