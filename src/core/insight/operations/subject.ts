/** Gives the subject of a figure its names for SQL and for people. */
import type { DatasetRow } from '../../db/statements.js'
import { INDEX, vintageOf, type FigureSubject, type Source } from '../figures/facets.js'
import { withUnit } from '../figures/figure-text.js'
import type { FigureStatistic } from '../figures/figures.js'
import type { Subject } from '../reading/reading.js'
import type { Named } from '../figures/typed.js'
import type { Reads, Total, Totals } from '../figures/reads.js'
import { FEATURES_COUNTED } from '../figures/read-figures.js'

/** These members of a source say how to compute its figure. */
export type Figure = FigureSubject & { statistic: FigureStatistic } & Pick<
    Source,
    'class' | 'frameId' | 'n' | 'order' | 'other' | 'times' | 'where' | 'by' | 'having'
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
  /** A count without a unit has this noun: "3 schools". */
  noun: string
  /** The catalogue may name one of the things that a value counts, and several: "person", "people". */
  names?: { noun: string; plural: string }
  /** A year has no total and no average. */
  isYear: boolean
  /** A weighted mean is weighted by "area" or by this attribute. */
  weight: string | null
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
    const { label, type, unit, method, weight, noun, plural } = entry
    const isYear = unit === 'year'
    const text = (decimal: string) => withUnit(decimal, unit)
    const methodOf = method === null ? {} : { method }
    return {
      ...common,
      label,
      type,
      unit,
      noun: insideSentence(label),
      isYear,
      weight,
      summary: isYear ? 'none' : entry.summary,
      text,
      source: { ...source, ...methodOf },
      args: [layerId, attribute],
      ...(noun === null || plural === null ? {} : { names: { noun, plural } }),
    }
  }
  if (attribute !== FEATURE_ATTRIBUTE) return undefined
  if (property !== undefined) return describeProperty(reads, { layerId, attribute, property }, { ...common, source })
  return {
    ...common,
    label: name,
    type: 'features',
    unit: null,
    noun: insideSentence(name),
    isYear: false,
    weight: null,
    summary: 'sum',
    text: (decimal) => withUnit(decimal, null),
    source,
    args: [layerId, null],
  }
}

/** The catalogue's names for the subject, for sentences. */
export const namedOf = ({ label, type, unit, isYear, summary, source, dataset, noun, names }: Description): Named => ({
  ...names,
  label: type === 'property' ? noun : label,
  type,
  unit,
  isYear,
  isSum: summary === 'sum',
  ...(source.method === undefined ? {} : { method: source.method }),
  ...(type === 'property' && dataset ? { features: dataset.name } : {}),
})

type DatasetDescription = Pick<Description, 'category' | 'source'> & { dataset: DatasetRow }

/** A property whose name is a plural counts what it names: "5,788 pupils". */
async function describeProperty(
  reads: Reads,
  { layerId, property }: Required<FigureSubject>,
  { source, dataset, category }: DatasetDescription,
): Promise<Description | undefined> {
  const entry = await reads.attributeOf(layerId, property)
  if (!entry) return undefined
  const noun = property.replaceAll('_', ' ')
  const isNumber = entry.type === 'number'
  const isYear = isNumber && YEAR_NAME.test(property)
  const unit = isYear ? 'year' : isNumber && singularName(noun) !== noun ? noun : null
  return {
    category,
    dataset,
    label: `${dataset.name}, ${noun}`,
    type: 'property',
    unit,
    noun,
    isYear,
    weight: null,
    summary: isYear ? 'none' : entry.summary,
    text: (decimal) => withUnit(decimal, unit),
    source: { ...source, property },
    args: [layerId, property],
  }
}

/** No catalogue declares the unit of a property: these names are of years. */
const YEAR_NAME = /(?:^|[_ ])(?:year|years?built|founded|established|built|constructed|commissioned|erected)(?:[_ ]|$)/i

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
    noun: insideSentence(label),
    isYear: false,
    weight: null,
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

/** A count without a unit has its noun: "3 schools". */
export const amountText = ({ text, unit, noun }: Description, decimal: string): string =>
  unit === null ? `${text(decimal)} ${decimal === '1' ? singularName(noun) : noun}` : text(decimal)

/** Puts the last word of a name in the singular: "market stall", "category", "church". */
export function singularName(name: string): string {
  if (/people$/i.test(name)) return name.replace(/people$/i, 'person')
  if (/[^aeiou]ies$/i.test(name)) return name.replace(/ies$/i, 'y')
  if (/(?:ch|sh|x|ss)es$/i.test(name)) return name.replace(/es$/i, '')
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name
}

/** The kept total of a place: a sum, or a number of features. */
export function keptTotal(
  known: Totals | undefined,
  { type, summary, source }: Description,
): (Total & { number: string }) | undefined {
  if (summary !== 'sum' || (type !== 'number' && type !== 'features')) return undefined
  const attribute = type === 'features' ? FEATURES_COUNTED : source.attribute
  const total = known?.totals.find((each) => each.dataset.layerId === source.layerId && each.attribute === attribute)
  return total && total.number !== null ? { ...total, number: total.number } : undefined
}
