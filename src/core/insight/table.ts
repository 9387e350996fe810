/** Reads the values of each frame, for the table of an answer and for the facets of a comparison. */
import { featuresPerFrame, recordsOfBaselines } from '../db/statements.js'
import { groupThousands, isPlainDecimal } from '../decimal.js'
import type { FrameSet } from './figures/frame-set.js'
import type { Reads } from './figures/reads.js'
import { FACETS_MAX, type FacetChoice, type ShownSubjects } from './choice.js'
import { attributeSource, featureSource, type Facet } from './figures/facets.js'
import { withUnit } from './figures/figure-text.js'
import type { AttributeFigures, FeatureFigures } from './figures/figures.js'
import { namedAttribute, namedFeatures } from './figures/typed.js'
import type { Reading } from './reading/reading.js'

type Column = { key: string; label: string; unit?: string }
export type Table = { columns: Column[]; rows: Record<string, string>[] }

const COLUMNS_MAX = 12
/** A person cannot read the facets of more frames: only the table compares them. */
const COMPARED_FRAMES = 5
const COMPARED_SUBJECTS = 4

/** Each frame has one row. The row has no key for a value that the frame does not record. The frames of a place have no table. */
export async function tableOf(reads: Reads, set: FrameSet, { attributes, features }: ShownSubjects): Promise<Table> {
  if (set.place) return { columns: [], rows: [] }
  const { frames } = set
  const shown = attributes.slice(0, COLUMNS_MAX)
  const counted = features.slice(0, COLUMNS_MAX - shown.length)
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

/** Adds the facets of each frame to an answer that compares frames, and says which of them its headline names. */
export function withComparison(
  { facets, answers, ...subjects }: FacetChoice,
  reading: Reading | undefined,
  table: Table,
): { facets: Facet[]; answers: readonly Facet[] } {
  const compared = reading?.compares ? comparisonFacets(table, subjects) : []
  // Several asks are figures to compare: each of them is an answer, and the frames come after them.
  const [first, more] = answers.length > 1 ? [answers, compared] : [compared, answers]
  const others = facets.filter((facet) => !answers.includes(facet))
  return {
    facets: [...first, ...more, ...others].slice(0, FACETS_MAX),
    answers: answers.length === 1 && compared.length > 0 ? compared : withExtremes(answers, facets, reading),
  }
}

/** More frames than a person can read are compared by the highest and the lowest of them. */
function withExtremes(
  answers: readonly Facet[],
  facets: readonly Facet[],
  reading: Reading | undefined,
): readonly Facet[] {
  const [answer] = answers
  if (!reading?.compares || answers.length !== 1 || !answer) return answers
  const { layerId, attribute } = answer.source
  const extremes = facets
    .slice(1, 3)
    .filter(
      ({ source }) =>
        source.layerId === layerId && source.attribute === attribute && ['max', 'min'].includes(source.statistic),
    )
  return [answer, ...extremes]
}

/** Returns no facets for too many frames. */
function comparisonFacets({ rows }: Table, { attributes, features }: ShownSubjects): Facet[] {
  if (rows.length < 2 || rows.length > COMPARED_FRAMES) return []
  return [
    ...attributes.map((figures) => (row: TableRow) => valueFacet(figures, row)),
    ...features.map((figures) => (row: TableRow) => countFacet(figures, row)),
  ]
    .slice(0, COMPARED_SUBJECTS)
    .flatMap((facetOf) => rows.flatMap((row) => facetOf(row) ?? []))
}

type TableRow = Table['rows'][number]

function valueFacet(figures: AttributeFigures, row: TableRow): Facet | undefined {
  const { dataset, name, label, unit, type } = figures
  const value = row[columnKey(dataset.layerId, name)]?.trim()
  if (value === undefined || value === '' || (type === 'number' && !isPlainDecimal(value))) return undefined
  const { frameId = '' } = row
  const frameLabel = `${label}, frame ${frameId}`
  return {
    label: frameLabel,
    value: type === 'number' ? withUnit(value, unit) : value,
    typed: {
      named: namedAttribute(figures),
      result: type === 'number' ? { is: 'amount', number: value } : { is: 'text', value },
      scope: [],
      frames: 1,
    },
    source: attributeSource(figures, frameLabel, 'value', { frames: 1, frameId }),
    category: dataset.category,
    dataset,
  }
}

function countFacet({ dataset }: FeatureFigures, row: TableRow): Facet | undefined {
  const value = row[dataset.layerId]
  if (value === undefined) return undefined
  const { frameId = '' } = row
  const label = `${dataset.name}, frame ${frameId}`
  const source = featureSource(dataset, label, 'count', { frames: value === '0' ? 0 : 1, frameId })
  const typed: Facet['typed'] = {
    named: namedFeatures(dataset.name),
    result: { is: 'amount', number: value },
    scope: [],
    frames: 1,
  }
  return { label, value: groupThousands(value), source, typed, category: dataset.category, dataset }
}
