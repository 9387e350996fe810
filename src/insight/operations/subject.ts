/** Gives the subject of a figure its names for SQL and for people. */
import type { DatasetRow } from '../../db/statements.js'
import { INDEX, vintageOf, withUnit, type FigureSubject, type Source } from '../facets.js'
import type { FigureStatistic } from '../figures.js'
import type { Subject } from '../reading/reading.js'
import type { Reads } from './reads.js'

/** These members of a source say how to compute its figure. */
export type Figure = FigureSubject & { statistic: FigureStatistic } & Pick<
    Source,
    'class' | 'frameId' | 'n' | 'order' | 'other' | 'where'
  >

const FEATURE_ATTRIBUTE = 'feature'
const INDEX_COLUMNS = { frames: 'frame_id', area: 'geom', state: 'state', lga: 'lga', ward: 'ward' } as const

/** A source names the columns of the index. */
export function figureSubject(subject: Subject): FigureSubject {
  switch (subject.kind) {
    case 'attribute':
      return { layerId: subject.layerId, attribute: subject.attribute }
    case 'features':
      return { layerId: subject.layerId, attribute: FEATURE_ATTRIBUTE }
    case 'property':
      return { layerId: subject.layerId, attribute: FEATURE_ATTRIBUTE, property: subject.property }
    case 'index':
      return { layerId: INDEX.layerId, attribute: INDEX_COLUMNS[subject.figure] }
  }
}

export type Description = {
  label: string
  /** A `unit` is a state, an LGA or a ward. */
  type: 'number' | 'category' | 'features' | 'property' | 'unit'
  unit: string | null
  summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none'
  /** The source of each figure has these members. */
  source: Pick<Source, 'layerId' | 'dataset' | 'attribute'> & Partial<Source>
  category: string
  dataset?: DatasetRow
  /** Writes the value with its unit. */
  text: (decimal: string) => string
  /** SQL finds the subject by its layer and its name. */
  args: [layer: string, subject: string | null]
}

/** Returns undefined for a subject that no dataset of the call has. */
export async function describe(reads: Reads, subject: FigureSubject): Promise<Description | undefined> {
  const { layerId, attribute, property } = subject
  if (layerId === INDEX.layerId) return describeIndex(attribute)
  const dataset = reads.datasetOf(layerId)
  if (!dataset) return undefined
  const { name, category, kind } = dataset
  const common = { category, dataset }
  const source = { layerId, dataset: name, attribute, ...vintageOf(dataset) }
  if (kind === 'frames') {
    const entry = await reads.attributeOf(layerId, attribute)
    if (!entry) return undefined
    const { label, type, unit, summary, method } = entry
    const text = (decimal: string) => withUnit(decimal, unit)
    const methodOf = method === null ? {} : { method }
    return {
      ...common,
      label,
      type,
      unit,
      summary,
      text,
      source: { ...source, ...methodOf },
      args: [layerId, attribute],
    }
  }
  if (attribute !== FEATURE_ATTRIBUTE) return undefined
  const text = (decimal: string) => withUnit(decimal, null)
  const figure = { ...common, unit: null, summary: 'sum', text } as const
  if (property === undefined) return { ...figure, label: name, type: 'features', source, args: [layerId, null] }
  const entry = await reads.attributeOf(layerId, property)
  if (!entry) return undefined
  const { summary } = entry
  const label = `${name}, ${property.replaceAll('_', ' ')}`
  return { ...figure, summary, label, type: 'property', source: { ...source, property }, args: [layerId, property] }
}

const INDEX_LABELS: Readonly<Record<string, string>> = {
  frame_id: 'Frames',
  geom: 'Area',
  state: 'State',
  lga: 'LGA',
  ward: 'Ward',
}

function describeIndex(attribute: string): Description | undefined {
  const label = INDEX_LABELS[attribute]
  if (label === undefined) return undefined
  const unit = attribute === 'geom' ? 'km²' : attribute === 'frame_id' ? 'frames' : null
  return {
    label,
    unit,
    type: unit === null ? 'unit' : 'number',
    summary: unit === null ? 'mode' : 'sum',
    category: INDEX.dataset,
    source: { ...INDEX, attribute },
    text: (decimal) => withUnit(decimal, unit),
    args: [INDEX.layerId, attribute],
  }
}

/** "Market stalls" is "market stalls" inside a sentence, and "LGA" stays. */
export const insideSentence = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name

/** Puts the last word of a name in the singular: "market stall", "category", "church". */
export function singularName(name: string): string {
  if (/people$/i.test(name)) return name.replace(/people$/i, 'person')
  if (/[^aeiou]ies$/i.test(name)) return name.replace(/ies$/i, 'y')
  if (/(?:ch|sh|x|ss)es$/i.test(name)) return name.replace(/es$/i, '')
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name
}
