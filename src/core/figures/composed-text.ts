/** Writes the label of a figure of the algebra: what it measures, of which things, by which groups. */
import { groupThousands } from '../decimal.js'
import { defined } from '../defined.js'
import type { Bounds, Figure, Filter, Groups, Measure, Subject } from './algebra.js'
import type { DatasetRow } from '../db/index.js'
import { extentKind, insideSentence, singularName, withArticle, withUnit } from './figure-text.js'
import { isUnitLevel, levelNoun, levelPlural } from '../place.js'
import { placeName } from '../place-name.js'
import { testOfBounds } from './conditions.js'
import { FROM_MIDDLE, nearText as nearDistance, passingWords, pluralOf } from './facet-text.js'
import { nameText, nounsOf } from './nouns.js'
import type { Reads } from './reads.js'
import { describe, describedIndex, INDEX } from './subject.js'
import type { Named } from './typed.js'

/** `scope` has the conditions that the label ends with. */
export type Labelled = { label: string; unit: string | null; scope?: string; named?: Named }
/** `of` and `to`: the units of the two measures. `by`: the units or classes that the figure is for. */
type LabelledFigure = Labelled & { of: string | null; to?: string | null; by?: Named }
/** Names the subjects of a figure: they are read before anything is written. */
export type Names = ((subject: Pick<Subject, 'of' | 'name'>, things?: string) => Labelled) & {
  /** The words are for a sentence, and not for a label: this has those of another figure. */
  said?: (figure: Figure) => string | undefined
}

const HOW: Partial<Record<NonNullable<Measure['how']>, string>> = {
  sum: 'total', mean: 'average', weighted_mean: 'weighted average', median: 'median', min: 'lowest', max: 'highest',
  mode: 'most common', distinct: 'number of classes',
} // prettier-ignore

/** Undefined where no dataset of the call has a subject. */
export async function textOfFigure(
  reads: Reads,
  figure: Figure,
  measure?: string,
): Promise<(LabelledFigure & { names: Names }) | undefined> {
  const names = await namesFor(reads, figure)
  return names && { ...figureText(names, figure, measure), names }
}

const groupedBy = (names: Names, by: Groups, things?: string): Named | undefined =>
  'level' in by ? describedIndex(by.level)?.named : 'class' in by ? names(by.class, things).named : undefined

async function namesFor(reads: Reads, figure: Figure): Promise<Names | undefined> {
  const named = new Map<string, Labelled>()
  const wanted = new Map<string, { layerId: string; name?: string }>()
  const meet = (layerId: string, name?: string) => wanted.set(keyOf(layerId, name), { layerId, ...defined({ name }) })
  walk(figure, undefined, meet)
  // A class without a dataset is one of the things.
  if (figure.by && 'class' in figure.by && figure.of.things)
    meet(figure.by.class.of ?? figure.of.things, figure.by.class.name)
  for (const [key, { layerId, name }] of wanted) {
    const isOfFrames = layerId === INDEX.layerId || reads.datasetOf(layerId)?.kind === 'frames'
    const subject = isOfFrames
      ? { layerId, attribute: name ?? '' }
      : { layerId, attribute: 'feature', ...defined({ property: name }) }
    const found = await describe(reads, subject)
    if (!found) return undefined
    named.set(key, { label: found.label, unit: found.named.unit, named: found.named })
    if (found.dataset && name === undefined) named.set(keyOf(layerId, EXTENT), extentLabel(found.dataset))
  }
  return ({ of, name }, things) => named.get(keyOf(of ?? things ?? '', name)) ?? { label: name ?? '', unit: null }
}

export const EXTENT = ' extent'
const extentLabel = (dataset: DatasetRow): Labelled => {
  const { kind, unit } = extentKind(dataset)
  return { label: `${dataset.name}, ${kind}`, unit }
}
const keyOf = (layerId: string, name: string | undefined) => `${layerId} ${name ?? ''}`

/** Meets each subject with its layer: that of a property is the one of its features. */
function walk(value: unknown, things: string | undefined, meet: (layerId: string, name?: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  const { of, near, name, place, extent, things: own } = value as Record<string, unknown>
  const isText = (each: unknown): each is string => typeof each === 'string'
  const layer = [near, of, own].find(isText)
  const isMeasure = place !== undefined
  const inner = isMeasure ? (isText(own) && own.startsWith('lyr_') ? own : undefined) : (layer ?? things)
  if (isText(near)) meet(near)
  else if (isText(of)) meet(of, isText(name) ? name : undefined)
  else if (isText(name) && things !== undefined) meet(things, name)
  if (isMeasure && inner !== undefined) meet(inner)
  if (extent === true) return
  for (const [key, each] of Object.entries(value))
    walk(
      each,
      key === 'among' || key === 'on' ? undefined : isMeasure || isText(near) || isText(of) ? inner : things,
      meet,
    )
}

/** A density. */
export const isByLand = ({ op, to }: Figure) =>
  op === 'ratio' && to?.subject?.of === INDEX.layerId && to.subject.name === 'geom'

function figureText(names: Names, figure: Figure, measure?: string): LabelledFigure {
  const { op, to, times, by, having, order, n, nth, inEach } = figure
  const isOfUnits = by !== undefined && 'level' in by && isOfAny(figure)
  const { how: _how, ...valueOf } = figure.of
  // A single thing has a value, and no statistic.
  const isOfEach = by !== undefined && 'each' in by && figure.of.subject !== undefined
  const own = measureText(names, isOfUnits ? { ...figure.of, things: by.level } : isOfEach ? valueOf : figure.of)
  const other = to && measureText(names, to)
  const [byLand, inMeasure] = isByLand(figure) ? [measure] : [undefined, measure]
  const label = other ? combinedText(own.label, other, { op, times, measure: byLand }) : own.label
  const groups = by && !isOfUnits ? [groupText(names, by, figure.of.things)] : []
  const rate = op === 'ratio' && other ? ` ${rateText(other, times, byLand)}` : ''
  const told = (op === 'ratio' ? inMeasure : undefined) ?? own.unit
  const both = op === 'sum' && other?.unit && told !== null && other.unit !== told ? ` and ${other.unit}` : ''
  const unit = op === 'percent' || op === 'change' ? '%' : told === null ? null : told + rate + both
  const named = by && groupedBy(names, by, figure.of.things)
  const parts = [
    label,
    ...(inMeasure === undefined ? [] : [`in ${inMeasure}`]),
    ...groups.filter((text) => text !== ''),
    ...(having && !isOfUnits ? [passingText(names, figure, unit, named)] : []),
    ...(order ? [nth === undefined ? orderText(order, n) : `number ${nth} from the ${order}`] : []),
    ...(inEach ? [`of each ${levelNoun(inEach)}`] : []),
  ]
  return { label: parts.join(', '), unit, of: own.unit, ...(other && { to: other.unit }), ...defined({ by: named }) }
}

/** The units that have a frame which passes. */
const isOfAny = ({ of: { how, things = 'frames', where }, having, order }: Figure) =>
  how === 'count' && things === 'frames' && where !== undefined && String(having?.above) === '0' && !order

/** "wards that have none", "LGAs above 20 schools" */
function passingText(names: Names, figure: Figure, unit: string | null, by: Named | undefined): string {
  const { having = {}, by: groups } = figure
  const more = groups && 'level' in groups ? moreText(names, { units: groups.level, figure, ...having }) : undefined
  if (!by) return boundsText(having, unit)
  return `${pluralOf(by)} ${more ?? passingWords(testOfBounds(having), { ...by, type: 'number', unit })}`
}
const orderText = (order: string, n: number | undefined) =>
  n === undefined ? `${order} first` : n === 1 ? order : `${n} ${order}`

/** "Per hectare", "per 10,000 people". */
export function rateText({ label, unit }: Labelled, times: Figure['times'], measure: string | undefined): string {
  if (unit === 'km²' && label.startsWith('Area')) return `per ${measure ? singularName(measure) : 'km²'}`
  const many = unit ?? insideSentence(label)
  return times === undefined ? `per ${singularName(many)}` : `per ${groupThousands(String(times))} ${many}`
}

/** "Population, share, on frames where Land cover is Forest": a part of the same. */
function shareText(part: string, whole: string): string | undefined {
  const scope = part.startsWith(whole) ? part.slice(whole.length) : ' '
  return scope.startsWith(' ') ? undefined : `${whole.replace(/, total$/, '')}, share${scope}`
}

type Combining = { op: Figure['op']; times: Figure['times']; measure: string | undefined }

function combinedText(one: string, other: Labelled, { op, times, measure }: Combining): string {
  const inside = insideSentence(other.label)
  switch (op) {
    case 'ratio':
      return `${one}, ${[rateText(other, times, measure), ...(other.scope ? [other.scope] : [])].join(' ')}`
    case 'percent':
      return shareText(one, other.label) ?? `${one}, in percent of ${inside}`
    case 'change':
      return `${one}, change in percent from ${inside}`
    case 'sum':
      return `${one}, and ${inside}, together`
    case 'difference':
    case undefined:
      return `${one}, less ${inside}`
  }
}

function measureText(
  names: Names,
  { things = 'frames', subject, how, at = 0, weight, where, among }: Measure,
): Labelled {
  const layer = things.startsWith('lyr_') ? things : undefined
  const own = thingsName(names, things)
  const percentile = `${Math.round(at * 1000) / 10}th percentile`
  const statistic = how === undefined || how === 'count' ? '' : how === 'quantile' ? percentile : (HOW[how] ?? how)
  const weighting = weight ? ` by ${insideSentence(names(weight).label)}` : ''
  const scope = [
    ...(where ? [filterText(names, where, things === 'frames' ? undefined : things)] : []),
    ...(among ? ['named' in among ? filterText(names, among) : `on frames ${filterText(names, among)}`] : []),
  ]
  const isIn = [where].some((each) => each !== undefined && 'named' in each)
  const onFrames = layer === undefined && things === 'frames' && subject && !isIn ? 'on frames ' : ''
  if (subject?.figure) {
    const inner = figureText(names, subject.figure)
    const of = [`${inner.label}, ${statistic} of ${own}`, ...scope]
    return { label: of.join(' '), unit: inner.unit }
  }
  const name = subject ? names(subject.extent ? { of: things, name: EXTENT } : subject, layer) : { label: own, unit: insideSentence(own) } // prettier-ignore
  const isPlain = statistic === '' || (subject?.of === INDEX.layerId && how === 'sum') || subject?.extent === true
  const label = isPlain ? name.label : `${name.label}, ${statistic}${weighting}`
  const separator = subject ? ', ' : ' '
  const scoped = scope.join(' ')
  return { label: scoped === '' ? label : `${label}${separator}${onFrames}${scoped}`, unit: name.unit, scope: scoped }
}

export function thingsName(names: Names, things: string): string {
  if (things === 'frames') return 'Frames'
  return isUnitLevel(things) ? levelPlural(things) : names({ of: things }).label
}

function groupText(names: Names, by: Groups, things?: string): string {
  if ('level' in by) return `by ${levelNoun(by.level)}`
  if ('class' in by) {
    const { label, named } = names(by.class, things)
    return `by ${insideSentence(label)}${named?.isFromMiddle && things !== undefined ? FROM_MIDDLE : ''}`
  }
  return 'each' in by ? '' : `by ${insideSentence(names(by.of).label)}`
}

/** Words a filter behind the things that it selects: "where Land cover is Forest", "within 2 km of Clinics". */
export function filterText(names: Names, filter: Filter, things?: string, isNegated = false): string {
  const not = isNegated ? 'not ' : ''
  if ('not' in filter) return filterText(names, filter.not, things, !isNegated)
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter
    const parts = isAll ? filter.all : filter.any
    // "In Lakeside where the land cover is Forest".
    if (names.said && isAll && !isNegated) {
      const [places, others] = [true, false].map((isOf) => parts.filter((each) => isNamed(each) === isOf))
      if (places?.length === 1 && others && others.length > 0)
        return [places, others].map((all) => filterText(names, { all }, things)).join(' ')
    }
    const joined = parts.map((each) => filterText(names, each, things, isNegated))
    // Not in A or B is neither in A nor in B.
    const word = isAll === isNegated ? ' or ' : ' and '
    return joined.length > 1 ? joined.map(bracketed).join(word) : (joined[0] ?? 'all')
  }
  if ('near' in filter) return nearText(names, filter, isNegated)
  if ('units' in filter) return unitsText(names, filter, { things, isNegated })
  if ('in' in filter) return `${not}in the place`
  if ('on' in filter) return `${not}on frames ${filterText(names, filter.on)}`
  return testText(names, filter, things, isNegated)
}

const isNamed = (filter: Filter) => 'units' in filter && 'named' in filter
const bracketed = (text: string) => (/ (?:or|and) /.test(text) && !text.startsWith('where') ? `(${text})` : text)

function nearText(
  names: Names,
  { near, where, metres }: Extract<Filter, { near: string }>,
  isNegated: boolean,
): string {
  const far = metres >= 1000 ? withUnit(String(Math.round(metres) / 1000), 'km') : withUnit(String(metres), 'm')
  const those = where ? ` ${filterText(names, where, near)}` : ''
  const { label } = names({ of: near })
  const one = singularName(insideSentence(label))
  const what = names.said ? (isNegated ? `any ${one}` : withArticle(one)) : label
  return `${isNegated ? 'more than' : 'within'} ${far} ${isNegated ? 'from' : 'of'} ${what}${those}`
}

type OfUnits = { things: string | undefined; isNegated: boolean }

function unitsText(names: Names, filter: Extract<Filter, { units: string }>, { things, isNegated }: OfUnits): string {
  if ('named' in filter) return `${isNegated ? 'outside' : 'in'} ${filter.named.map(placeName).join(' or ')}`
  const those = things === filter.units ? '' : `in ${levelPlural(filter.units)} `
  const { label, unit } = figureText(names, filter.figure)
  const some = 'is' in filter ? undefined : someText(filter, isNegated)
  if (some && isCount(filter.figure)) return `${those}${some} ${names.said ? insideSentence(label) : label}`
  const more = isNegated ? undefined : moreText(names, filter)
  if (more !== undefined) return those + more
  const subject = names.said?.(filter.figure)
  const named = namedOf(names, filter.figure)
  if (subject !== undefined && named !== undefined && !isNegated && !('is' in filter))
    return `${those}with ${boundsOfThings(filter)} ${named}`
  const test = 'is' in filter ? filter.is.map(placeName).join(' or ') : boundsText(filter, unit)
  return `${those}where ${subject === undefined ? label : `the ${subject}`} is ${isNegated ? 'not ' : ''}${test}`
}

/** "more than 5", "exactly 0": so many things. */
export const boundsOfThings = (bounds: Bounds): string =>
  boundsText(bounds, null)
    .replace(/^above/, 'more than')
    .replace(/^below/, 'fewer than')
    .replace(/^(?=\d)/, 'exactly ')

/** The things that a figure counts: "clinics", "people (2026 estimate)". Undefined where it counts none. */
function namedOf(names: Names, { of, op }: Figure): string | undefined {
  const { things = 'frames', subject, how, where, among } = of
  if (op !== undefined || where || among) return undefined
  if (!subject) return how === undefined || how === 'count' ? insideSentence(thingsName(names, things)) : undefined
  const { named } = names(subject, things)
  const many = named && how === 'sum' && things === 'frames' ? nounsOf(named).many : ''
  return many === '' ? undefined : many
}

/** "with more clinics than schools", "where the population (2026 estimate) is below the population (2025 estimate)" */
export function moreText(
  names: Names,
  { figure, ...bounds }: Extract<Filter, { units: string; figure: Figure }>,
): string | undefined {
  const { of, op, to } = figure
  const isMore = 'above' in bounds && String(bounds.above) === '0'
  if (op !== 'difference' || !to || !(isMore || ('below' in bounds && String(bounds.below) === '0'))) return undefined
  const [one, other] = [of, to].map((each) => namedOf(names, { of: each }))
  if (one !== undefined && other !== undefined) {
    const [own, than] = [one, other].map((text) => /^(.*) \((.*)\)$/.exec(text)?.slice(1))
    const more = isMore ? 'more' : 'fewer'
    return own && than && own[0] === than[0]
      ? `with ${more} ${own[0]} in the ${own[1]} than in the ${than[1]}`
      : `with ${more} ${one} than ${other}`
  }
  const [own, than] = [of, to].map((each) => names.said?.({ of: each }))
  return own === undefined || than === undefined
    ? undefined
    : `where the ${own} is ${isMore ? 'above' : 'below'} the ${than}`
}

type SubjectTest = Exclude<Filter, { all: unknown } | { any: unknown } | { not: unknown } | { in: unknown } | { near: unknown } | { on: unknown } | { units: unknown }> // prettier-ignore

function testText(names: Names, filter: SubjectTest, things: string | undefined, isNegated: boolean): string {
  const { of, name, where } = filter
  const named = names(filter.extent ? { of: things ?? '', name: EXTENT } : filter, things)
  const { unit } = named
  // A property of the things needs no name of theirs.
  const label = of === undefined ? named.label.split(', ').slice(1).join(', ') : named.label
  const those = where ? ` ${filterText(names, where, of)}` : ''
  const not = isNegated ? 'not ' : ''
  if (names.said) {
    const said = saidTest(
      filter,
      { label, unit, isOwn: of === undefined, ...defined({ named: named.named }) },
      isNegated,
    )
    if (said !== undefined) return said
  }
  if ('is' in filter)
    return flagText(label, filter.is, isNegated) ?? `where ${label} is ${not}${filter.is.map(placeName).join(' or ')}`
  if ('has' in filter) return `where ${label} ${not}has ${filter.has}`
  if ('recorded' in filter) return `that ${isNegated ? 'do not record' : 'record'} ${label}`
  const isOfFeatures = of !== undefined && name === undefined
  const bounds = filter as Bounds
  const some = isOfFeatures ? someText(bounds, isNegated) : undefined
  if (some) return `${some} ${label}${those}`
  if (isOfFeatures) return `${isNegated ? 'not ' : ''}with ${boundsText(bounds, null)} of ${label}${those}`
  const minus = 'minus' in filter ? ` less ${names(filter.minus).label}` : ''
  return `where ${label}${those}${minus} is ${not}${boundsText(bounds, unit)}`
}

const isCount = ({ of, op }: Figure) => op === undefined && of.subject === undefined

/** More than none, or none. */
function someText({ above, equals }: Bounds, isNegated: boolean): 'with' | 'without' | undefined {
  if (String(above) !== '0' && String(equals) !== '0') return undefined
  return (String(above) === '0') === isNegated ? 'without' : 'with'
}

const testOf = (bounds: Bounds) => ({
  test: 'bounds' as const,
  ...(Object.fromEntries(Object.entries(bounds).map(([key, value]) => [key, String(value)])) as Record<string, string>),
})

type Tested = { label: string; unit: string | null; isOwn: boolean; named?: Named }

/** Words a test in a sentence: "whose level is Secondary", "with more than 300 pupils", "where the land cover is Forest". */
function saidTest(filter: SubjectTest, { label, unit, isOwn, named }: Tested, isNegated: boolean): string | undefined {
  const not = isNegated ? 'not ' : ''
  const measure = isOwn || !named ? insideSentence(label) : nounsOf(named).measure
  const whose = isOwn ? `whose ${measure}` : `where the ${measure}`
  if ('has' in filter) return `${isNegated ? 'not ' : ''}called “${filter.has.replaceAll(/[“”"]/g, "'")}”`
  if ('is' in filter) {
    const [value = '', ...more] = filter.is
    if (more.length === 0 && (value === 'true' || value === 'false'))
      return `that are ${(value === 'true') === isNegated ? 'not ' : ''}${label}`
    return `${whose} is ${not}${filter.is.map((each) => nameText(placeName(each))).join(' or ')}`
  }
  const isBound = ['above', 'atLeast', 'below', 'atMost', 'equals'].some((bound) => bound in filter)
  if (!isBound || 'minus' in filter || 'where' in filter || (filter.name === undefined && !isOwn)) return undefined
  const { above, atLeast, below, atMost, equals } = filter as Bounds
  if (named?.near !== undefined && !isNegated && equals === undefined)
    return nearDistance(testOf(defined({ above, atLeast, below, atMost })), named)
  const some = unit === label ? someText(filter as Bounds, isNegated) : undefined
  if (some) return `${some} ${label}`
  if (unit === label && !isNegated) return `with ${boundsOfThings(filter as Bounds)} ${label}`
  return `${whose} is ${not}${boundsText(filter as Bounds, unit)}`
}

/** A property that is true or false is a name by itself: "open at night". */
function flagText(label: string, is: readonly string[], isNegated: boolean): string | undefined {
  const [value, ...more] = is
  if (more.length > 0 || (value !== 'true' && value !== 'false')) return undefined
  return `where ${label} is ${(value === 'true') !== isNegated}`
}

export function boundsText({ above, atLeast, below, atMost, equals }: Bounds, unit: string | null): string {
  const parts = [
    ['above', above],
    ['at least', atLeast],
    ['below', below],
    ['at most', atMost],
    ['', equals],
  ] as const
  return parts
    .flatMap(([words, bound]) => (bound === undefined ? [] : [`${words} ${withUnit(String(bound), unit)}`.trim()]))
    .join(' and ')
}
