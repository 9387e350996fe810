/** Reads the values of each frame, for the table of an answer and for the facets of a comparison. */
import { featuresPerFrame, recordsOfBaselines } from '../db/statements.js'
import { FACETS_MAX, type FacetChoice, type ShownSubjects } from './choice.js'
import type { Facet } from './figures/facets.js'
import type { FrameSet } from './figures/frame-set.js'
import type { Reads } from './figures/reads.js'
import { describedAttribute, describedFeatures } from './figures/subject.js'
import type { Figure } from './figures/typed.js'
import { computeFigure } from './operations/compute.js'
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
        row[`${dataset.layerId}.${name}`] = value
    }
  }
  for (const layerId of layers) for (const row of rows) row[layerId] = '0'
  for (const { place, layer, features: count } of counts) {
    const row = rows[place - 1]
    const layerId = layers[layer - 1]
    if (row && layerId !== undefined) row[layerId] = String(count)
  }
  const columns: Column[] = [
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

/** Adds the facets of each frame to an answer that compares frames, and says which of them its headline names. */
export async function withComparison(
  { reads, set }: { reads: Reads; set: FrameSet },
  { facets, answers, ...subjects }: FacetChoice,
  reading: Reading | undefined,
): Promise<{ facets: Facet[]; answers: readonly Facet[] }> {
  const compared = reading?.compares ? await comparisonFacets(reads, set, subjects) : []
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
  const isExtreme = ({ source }: Facet) =>
    source.layerId === layerId && source.attribute === attribute && ['max', 'min'].includes(source.statistic)
  return [answer, ...facets.slice(1, 3).filter(isExtreme)]
}

/** Returns no facets for too many frames. */
async function comparisonFacets(
  reads: Reads,
  set: FrameSet,
  { attributes, features }: ShownSubjects,
): Promise<Facet[]> {
  if (set.place || set.count < 2 || set.count > COMPARED_FRAMES) return []
  const figures = [
    ...attributes.map((each): Figure => ({ ...describedAttribute(each, each.dataset).source, statistic: 'value' })),
    ...features.map(({ dataset }): Figure => ({ ...describedFeatures(dataset).source, statistic: 'count' })),
  ]
  const facets = figures
    .slice(0, COMPARED_SUBJECTS)
    .flatMap((figure) => set.frames.map((frameId) => computeFigure(reads, set, { ...figure, frameId })))
  return (await Promise.all(facets)).flatMap((facet) => facet ?? [])
}
