/** Makes figures of amounts: ratios, shares, densities, changes, groups and orders. What does not go together is undefined. */
import type { Filter } from '../../figures/index.js'
import type { UnitOfMeasure } from '../../numbers/index.js'
import { UNIT_LEVELS, type UnitLevel } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import type { Adjective } from './cues.js'
import {
  type Amount,
  amountOf,
  type Calculation,
  closed,
  type Condition,
  countOf,
  type FigureFragment,
  framesOf,
  type Grouping,
  isCountable,
  isOfUnits,
  limitedAmount,
  limitedCalculation,
  nameOf,
  onFrames,
  ownProperty,
  type Things,
} from './fragments.js'
import { topicNamed } from './names.js'
import type { Growth, Years } from './production.js'
import { areBandsOf, hasYear, isAdded, layerOf, seriesOf, type Topic } from './topic.js'

export const unlimited = ({ things }: Amount) => things.where.length + things.among.length === 0
export const asFigure = (amount: Amount | undefined): Calculation | undefined => {
  const own = amount && closed(amount)
  return own && { of: own, ...(own.unit && { unit: own.unit }) }
}

export function compared(
  op: NonNullable<Calculation['op']>,
  one: Amount | undefined,
  other: Amount | undefined,
): Calculation | undefined {
  const [of, to] = [one && closed(one), other && closed(other)]
  // Arithmetic is told in the units of the catalogue.
  if (!of || !to || [of, to].some(({ is, unit }) => unit && is !== 'land' && is !== 'extent')) return undefined
  // Only totals have a ratio, and only numbers of one unit a difference.
  const areTotals = [of, to].every(({ how }) => how === 'sum' || how === 'count')
  const areOfOneUnit = of.topic?.unit === to.topic?.unit || of.is === 'count'
  const isMeant = op === 'ratio' || op === 'percent' ? areTotals : areOfOneUnit && of.is === to.is
  // A share of another total is one of the same frames.
  const isOfSame = op !== 'percent' || of.topic === to.topic || JSON.stringify(of.things) === JSON.stringify(to.things)
  return isMeant && isOfSame ? { of, op, to } : undefined
}

const recordedBy = (topic: Topic): Filter => ({ of: layerOf(topic) ?? '', name: nameOf(topic), recorded: true })

/** A ratio of two totals. Both sides have the same conditions, or none: those of features that both count hold for both. */
export function ratioOf(amount: Amount | undefined, other: Amount | undefined): Calculation | undefined {
  const isOfSame = amount?.things.of === 'features' && layerOf(amount.things.topic) === layerOf(other?.things.topic)
  const one = amount && other && isOfSame && unlimited(amount) ? { ...amount, things: other.things } : amount
  const isWhole = ({ things: { of, where, among } }: Amount) =>
    among.length === 0 && (of === 'features' || where.length === 0)
  return one && other && isWhole(one) && isWhole(other) ? compared('ratio', one, other) : undefined
}
const shareIsOfPlace = ({ op }: Calculation, { isPlace = false }: Condition) => op !== 'percent' || isPlace
export const limitedBoth = (calculation: Calculation, condition: Condition) =>
  calculation.op !== undefined && shareIsOfPlace(calculation, condition)
    ? limitedCalculation(calculation, condition)
    : undefined

/** The part of an amount or of things that passes a condition. */
export function shareOf(whole: Amount | undefined, condition: Condition | undefined): Calculation | undefined {
  const part = whole && condition && limitedAmount(whole, condition)
  return part && isCountable(whole) ? compared('percent', part, whole) : undefined
}
const isInPlace = ({ things }: Amount) => [...things.where, ...things.among].every((filter) => 'said' in filter)
/** One total in percent of another, of the same frames. A place that only one of them names is that of both. */
export function shareOfOther(part: Amount, whole: Amount): Calculation | undefined {
  if (part.is !== 'attribute' || whole.is !== 'attribute' || part.topic === whole.topic) return undefined
  const things = unlimited(part) ? whole.things : unlimited(whole) && isInPlace(part) ? part.things : undefined
  return things && compared('percent', { ...part, things }, { ...whole, things })
}
/** Frames of a class count among those that record it. */
export function shareOfThings(things: Things, condition: Condition | undefined): Calculation | undefined {
  const test = condition?.frames
  const isOfClass = things.of === 'frames' && test && 'is' in test && 'of' in test && 'name' in test
  const recorded: Filter[] = isOfClass ? [{ of: test.of ?? '', name: test.name ?? '', recorded: true }] : []
  return shareOf(countOf({ ...things, where: [...things.where, ...recorded] }), condition)
}
export const shareOfFrames = (classes: Condition) => classes.frames && shareOfThings(framesOf(), classes)
/** A share of land is by area. */
export const shareOfLand = (classes: Condition) =>
  classes.frames && shareOf({ is: 'land', things: framesOf() }, classes)

/** Per square kilometre, hectare or acre of the land. */
export function perLand(amount: Amount | undefined, unit: UnitOfMeasure): Calculation | undefined {
  // Wards have land, and are no number on it.
  if (!amount || isOfUnits(amount.things)) return undefined
  const { where, among } = amount.things
  const isOfFrames = amount.things.of === 'frames'
  if (unit.dimension !== 'area') return undefined
  // The density is over the land of the frames that record the topic.
  const recorded = amount.is === 'attribute' && amount.topic ? [recordedBy(amount.topic)] : []
  const land: Amount = { is: 'land', things: framesOf([...(isOfFrames ? where : among), ...recorded]), how: 'sum' }
  const calculation = compared('ratio', amount, land)
  return calculation && { ...calculation, unit }
}
export const KM2: UnitOfMeasure = { name: 'km²', dimension: 'area', factor: '1000000' }
/** A dataset may record the density itself: "building density". */
export function densityOf(catalogue: Catalogue, amount: Amount): Calculation | undefined {
  const unit = amount.topic?.unit
  if (amount.how !== undefined) return undefined
  const own = unit !== undefined && unlimited(amount) ? topicNamed(catalogue, `${unit} density`) : undefined
  return own ? asFigure(amountOf(own)) : isCountable(amount) ? perLand(amount, KM2) : undefined
}

/** From one year of a series to another: from the oldest to the newest where none is named. */
export function changeOf(
  catalogue: Catalogue,
  amount: Amount,
  years?: Years,
  op: 'change' | 'difference' = 'change',
): Calculation | undefined {
  const [to, from] = inTwoYears(catalogue, amount, years) ?? []
  return from && to && compared(op, { ...amount, topic: to }, { ...amount, topic: from })
}
/** "Between the two years": the series has no others. */
export const BOTH = 'both'
/** The topic in the later year and in the earlier one. */
export function inTwoYears(
  catalogue: Catalogue,
  { is, topic }: Amount,
  years: Years = [''],
): [Topic, Topic] | undefined {
  if (is !== 'attribute' || !topic) return undefined
  const series = seriesOf(catalogue, topic)
  const inYear = (year: string) => series.find((each) => hasYear(each, Number(year)))
  if (years[0] === BOTH && series.length !== 2) return undefined
  const from = years[0] === '' || years[0] === BOTH ? series[0] : inYear(years[0])
  const to = years[1] === undefined ? series.at(-1) : inYear(years[1])
  return from && to && from !== to ? [to, from] : undefined
}
/** "Which ward grew fastest": the first of them. */
export function growthOf(
  catalogue: Catalogue,
  level: UnitLevel,
  { op, order, amount, years }: Growth,
  n = 1,
): FigureFragment | undefined {
  const of = amount ?? ofAdjective(catalogue, { name: 'population' })
  // Rainfall that drops is told in its unit.
  const own = of?.topic && !isAdded(of.topic) ? 'difference' : op
  // A unit that grew has lost nothing.
  const having = order === 'lowest' ? { having: { below: 0 } } : {}
  return of && grouped(changeOf(catalogue, of, years, own), { ...firstOf(level, order, n), ...having })
}

/** Units have groups by a level above them alone: "wards in each LGA". */
const hasGroups = ({ of, to }: Calculation, { by, groupsOf }: Grouping) =>
  [of, to].every((each) => {
    if (groupsOf !== undefined && each) return each.things.of === 'features' && layerOf(each.things.topic) === groupsOf
    if (!each || !isOfUnits(each.things)) return true
    return by && 'level' in by && UNIT_LEVELS.indexOf(by.level) < UNIT_LEVELS.indexOf(each.things.of)
  })
export const grouped = (calculation: Calculation | undefined, grouping: Grouping): FigureFragment | undefined =>
  calculation && hasGroups(calculation, grouping) && !(grouping.order && calculation.of.how === 'mode')
    ? { ...calculation, ...grouping }
    : undefined
export const ofLevel = (level: UnitLevel): Grouping => ({ by: { level } })
/** The classes of a property are groups of its own features. */
export const ofClass = (topic: Topic): Grouping =>
  topic.subject.kind === 'property'
    ? { by: { class: { name: nameOf(topic) } }, groupsOf: topic.subject.layerId }
    : { by: { class: { of: layerOf(topic) ?? '', name: nameOf(topic) } } }
export const firstOf = (level: UnitLevel, order: 'highest' | 'lowest', n: number): Grouping => ({
  by: { level },
  order,
  n,
})
export const listed = (number: string): number => Math.min(Number(number), 50)
export const many = (all: readonly Calculation[], grouping: Grouping) => {
  const found = all.flatMap((each) => grouped(each, grouping) ?? [])
  return found.length === all.length ? found : undefined
}
/** "By distance to a clinic": by its bands. */
export function bandsOf({ topics }: Catalogue, series: readonly Topic[]): Grouping | undefined {
  const [number] = series
  const bands = number && topics.find((each) => layerOf(each) === layerOf(number) && areBandsOf(each, number))
  return bands && ofClass(bands)
}
/** A share needs a condition, or groups whose whole is all of them. */
export const groupShare = (amount: Amount, grouping: Grouping | undefined) =>
  grouping &&
  isCountable(amount) &&
  [...amount.things.where, ...amount.things.among].every((filter) => 'said' in filter) &&
  grouped(compared('percent', amount, amount), { ...grouping, toBy: null })

/** Units that pass are counted by their frames, so that each has a row; features of a size are told with it. */
export const namesOf = (things: Things): FigureFragment | undefined => {
  const { of, where, among, topic } = things
  if (isOfUnits(things) && where.length > 0)
    return {
      of: { is: 'count', things: framesOf([...where, ...among]), how: 'count' },
      by: { level: things.of },
      having: { above: '0' },
    }
  return topic && of === 'features' && where.some((filter) => 'extent' in filter)
    ? { of: { is: 'extent', topic, things, how: 'sum' }, by: { each: true }, order: 'highest' }
    : { of: { ...countOf(things), how: 'count' }, by: { each: true } }
}
/** Lines in the order of their length, polygons in that of their area. */
export const rankedExtents = (kind: Topic['kind'], things: Things, order: 'highest' | 'lowest', n = 1) =>
  things.topic?.kind === kind && things.of === 'features'
    ? ({ of: { is: 'extent', topic: things.topic, things, how: 'sum' }, by: { each: true }, order, n } as const)
    : undefined
/** Single features in the order of a property. */
export function rankedFeatures(things: Things, property: Topic, grouping: Grouping): FigureFragment | undefined {
  if (things.of !== 'features' || layerOf(things.topic) !== layerOf(property)) return undefined
  return { of: { is: 'property', topic: property, things, how: 'sum' }, by: { each: true }, ...grouping }
}
/** Single frames in the order of what they have. */
export function rankedFrames(
  amount: Amount | undefined,
  order: 'highest' | 'lowest',
  n?: number,
): FigureFragment | undefined {
  const own = amount && amount.how === undefined ? onFrames(amount) : undefined
  const of = own && own.topic?.type !== 'category' ? closed(own) : undefined
  return of && { of, by: { each: true }, order, ...(n !== undefined && { n }) }
}
export const inOrder = (things: Things, amount: Amount, order: 'highest' | 'lowest', n?: number) =>
  things.of === 'frames'
    ? rankedFrames(
        things.where.reduce<Amount | undefined>((one, frames) => one && limitedAmount(one, { frames }), amount),
        order,
        n,
      )
    : undefined
export function ofAdjective(catalogue: Catalogue, { name }: Pick<Adjective, 'name'>): Amount | undefined {
  const topic = topicNamed(catalogue, name)
  return topic && (topic.subject.kind === 'property' ? ownProperty(catalogue, topic) : amountOf(topic))
}
export const SIDES = { above: 'highest', below: 'lowest' } as const

export function commonest(
  topic: Topic,
  order: 'highest' | 'lowest',
  things: Things = framesOf(),
): FigureFragment | undefined {
  const layer = layerOf(topic)
  if (topic.type !== 'category' || layer === undefined) return undefined
  return { of: { ...countOf(things), how: 'count' }, ...ofClass(topic), order, n: 1 }
}
