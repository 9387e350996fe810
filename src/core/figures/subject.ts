/** Gives the subject of a figure its names for SQL and for people. */
import { isUnitLevel, levelNoun } from '../place.js'
import { defined } from '../defined.js'
import type { AttributeEntry, DatasetRow } from '../db/index.js'
import type { FrameSet } from './frame-set.js'
import { capital, insideSentence, singularName } from './figure-text.js'
import type { Reads } from './reads.js'
import type { Figure, FigureStatistic, FigureSubject, Named, Source } from './typed.js'

/** A figure is about an attribute, about features, about a number that features have, or about the index itself. */
export type Subject =
  | { kind: 'attribute'; layerId: string; attribute: string }
  | { kind: 'features'; layerId: string }
  | { kind: 'property'; layerId: string; property: string }
  | { kind: 'index'; figure: 'frames' | 'area' | 'state' | 'lga' | 'ward' }

/** The index itself gives these figures. */
export const INDEX = { layerId: 'frames', dataset: 'Frame index' }
const FEATURE_ATTRIBUTE = 'feature'
const INDEX_COLUMNS = { frames: 'frame_id', area: 'geom', state: 'state', lga: 'lga', ward: 'ward' } as const

/** A source names the columns of the index. */
export function figureSubject(subject: Subject): FigureSubject {
  if (subject.kind === 'index') return { layerId: INDEX.layerId, attribute: INDEX_COLUMNS[subject.figure] }
  const { layerId } = subject
  if (subject.kind === 'attribute') return { layerId, attribute: subject.attribute }
  return { layerId, attribute: FEATURE_ATTRIBUTE, ...('property' in subject && { property: subject.property }) }
}

export type Description = {
  label: string
  named: Named
  /** A weighted mean is weighted by "area" or by this attribute. */
  weight: string | null
  summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none'
  hasInterval?: boolean
  /** The source of each figure has these members. */
  source: FigureSubject & Pick<Source, 'dataset' | 'vintage' | 'method'>
  category: string
  dataset?: DatasetRow
  /** SQL finds the subject by its layer and its name. */
  args: [layer: string, subject: string | null]
}

/** The figure, its subject, and the frames that it is of. */
export type NamedFigure = { figure: Figure; subject: Description; set: Pick<FrameSet, 'count' | 'place'> }
export type FigureCall = NamedFigure & { reads: Reads; set: FrameSet }

/** Returns undefined for a subject that no dataset of the call has. */
export async function describe(reads: Reads, subject: FigureSubject): Promise<Description | undefined> {
  const { layerId, attribute, property } = subject
  if (layerId === INDEX.layerId) return describedIndex(attribute)
  const dataset = reads.datasetOf(layerId)
  const isOfFrames = dataset?.kind === 'frames'
  if (!dataset || isOfFrames === (attribute === FEATURE_ATTRIBUTE)) return undefined
  if (isOfFrames && property !== undefined) return undefined
  if (!isOfFrames && property === undefined) return describedFeatures(dataset)
  const entry = await reads.attributeOf(layerId, property ?? attribute)
  if (!entry) return undefined
  if (property !== undefined) return describedProperty(entry, property, dataset)
  const described = describedAttribute(entry, dataset)
  const other = dataset.distanceTo === null ? undefined : reads.datasetOf(dataset.distanceTo)
  const near = other && singularName(insideSentence(other.name))
  return near === undefined ? described : { ...described, named: { ...described.named, near } }
}

const sourceIn = (dataset: DatasetRow, attribute: string) => ({
  layerId: dataset.layerId,
  dataset: dataset.name,
  attribute,
  ...(dataset.vintage !== null && { vintage: dataset.vintage }),
})

export function describedAttribute(entry: AttributeEntry, dataset: DatasetRow): Description {
  const { label, type, unit, weight, noun, plural, name } = entry
  const isYear = unit === 'year'
  const summary = isYear ? 'none' : entry.summary
  const method = entry.method ?? undefined
  const middle = dataset.distanceTo === null ? {} : { isFromMiddle: true as const }
  const names = noun === null || plural === null ? {} : { noun, plural }
  return {
    label,
    named: { label, type, unit, isYear, isSum: summary === 'sum', ...defined({ method }), ...names, ...middle },
    weight,
    summary,
    hasInterval: entry.interval !== null,
    source: { ...sourceIn(dataset, name), ...defined({ method }) },
    category: dataset.category,
    dataset,
    args: [dataset.layerId, name],
  }
}

export const describedFeatures = (dataset: DatasetRow): Description => ({
  label: dataset.name,
  named: { label: dataset.name, type: 'features', unit: null, isYear: false, isSum: true },
  weight: null,
  summary: 'sum',
  source: sourceIn(dataset, FEATURE_ATTRIBUTE),
  category: dataset.category,
  dataset,
  args: [dataset.layerId, null],
})

const YEAR_NAME =
  /(?:^|[_ ])(?:year|years?built|founded|established|built|constructed|opened|drilled|completed|installed|commissioned|erected)(?:[_ ]|$)/i

/** Without a unit in the catalogue, these names of properties are of years. */
export const isYearOf = ({ type, unit }: { type: string; unit: string | null }, property: string): boolean =>
  unit === 'year' || (type === 'number' && unit === null && YEAR_NAME.test(property))

/** A property whose name is a plural counts what it names: "5,788 pupils". */
function describedProperty(entry: AttributeEntry, property: string, dataset: DatasetRow): Description {
  const { type, summary, method, noun, plural } = entry
  const label = entry.label === property ? property.replaceAll('_', ' ') : entry.label
  const isYear = isYearOf(entry, property)
  const counted = type === 'number' && singularName(label) !== label ? insideSentence(label) : null
  const unit = isYear ? 'year' : (entry.unit ?? counted)
  const names = noun === null || plural === null ? {} : { noun, plural }
  return {
    label: `${dataset.name}, ${label}`,
    named: {
      label,
      type: 'property',
      unit,
      isYear,
      isSum: !isYear && summary === 'sum',
      features: dataset.name,
      ...defined({ method: method ?? undefined }),
      ...names,
    },
    weight: null,
    summary: isYear ? 'none' : summary,
    source: { ...sourceIn(dataset, FEATURE_ATTRIBUTE), property, ...defined({ method: method ?? undefined }) },
    category: dataset.category,
    dataset,
    args: [dataset.layerId, property],
  }
}

const INDEX_NAMES: Readonly<Record<string, [label: string, unit: string | null]>> = {
  frame_id: ['Frames', 'frames'],
  geom: ['Area', 'km²'],
}

export function describedIndex(attribute: string): Description | undefined {
  const [label, unit = null] = isUnitLevel(attribute) ? [capital(levelNoun(attribute))] : (INDEX_NAMES[attribute] ?? [])
  if (label === undefined) return undefined
  const isUnit = unit === null
  return {
    label,
    named: { label, type: isUnit ? 'unit' : 'number', unit, isYear: false, isSum: !isUnit },
    weight: null,
    summary: isUnit ? 'mode' : 'sum',
    source: { ...INDEX, attribute },
    category: INDEX.dataset,
    args: [INDEX.layerId, attribute],
  }
}

/** The figures that describe a subject: first the usual one. One frame has no highest and no lowest. */
export function usualStatistics(
  { named: { type, isYear }, summary, dataset, source, hasInterval }: Description,
  hasSpread: boolean,
): [FigureStatistic, ...FigureStatistic[]] {
  if (type === 'features') return ['count', 'frames']
  if (type === 'unit') return ['value', 'count', 'names']
  if (!dataset) return [source.attribute === 'geom' ? 'sum' : 'count']
  if (type === 'property' && summary === 'sum') return ['sum', 'mean', 'max', 'min', 'frames']
  if (type === 'property' && summary === 'mean') return ['mean', 'max', 'min', 'frames']
  const coverage: FigureStatistic[] = ['frames']
  if (isYear) return ['min', 'max', ...coverage]
  if (summary === 'none') return ['value', ...coverage]
  if (type === 'category') return ['mode', 'value', ...coverage]
  if (type !== 'number') return ['mode', ...coverage]
  const spread: FigureStatistic[] = !hasSpread ? [] : summary === 'sum' ? ['max', 'min', 'mean'] : ['max', 'min']
  return [
    summary === 'mode' ? 'mean' : summary,
    ...(hasInterval ? (['interval'] as const) : []),
    ...spread,
    ...coverage,
  ]
}
