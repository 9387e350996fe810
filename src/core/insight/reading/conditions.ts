/** Makes conditions of classes, distances and amounts. What does not go together is undefined. */
import { multiplyDecimal } from '../../decimal.js'
import type { Bounds, Filter } from '../../figures/index.js'
import { unitOfMeasureNamed } from '../../numbers/index.js'
import type { Catalogue } from './catalogue.js'
import type { Bound } from './cues.js'
import {
  type Amount,
  type Condition,
  type OfPlace,
  type Things,
  amountOf,
  closed,
  combined,
  countOf,
  denied,
  framesOf,
  nameOf,
  ofUnits,
  opposite,
  testOf,
  withThings,
} from './fragments.js'
import type { ClassNamed } from './tokens.js'
import { topicNamed, wayTo } from './names.js'
import type { Range } from './production.js'
import { type Topic, layerOf } from './topic.js'

const METRES_MAX = 1_000_000

/** A bound on one side alone has an opposite. */
const OPPOSITE: Partial<Record<Bound, Bound>> = {
  above: 'atMost',
  atLeast: 'below',
  below: 'atLeast',
  atMost: 'above',
}

function oppositeRange({ bounds, unit }: Range): Range | undefined {
  const [[bound, number] = [], ...more] = Object.entries(bounds) as [Bound, string][]
  const other = bound && OPPOSITE[bound]
  return other && number !== undefined && more.length === 0 ? { bounds: { [other]: number }, unit } : undefined
}

export const classFilter = ({ topic, value }: ClassNamed): Filter => ({
  of: layerOf(topic) ?? '',
  name: nameOf(topic),
  is: [value],
})

/** A unit is of a class where most of its frames are. */
export function ofClass(named: ClassNamed): Condition {
  const figure = closed(amountOf(named.topic))
  return {
    frames: classFilter(named),
    ...(figure && { units: ofUnits({ of: figure }, { is: [named.value] }) }),
  }
}

export const ofKind = ({ topic, value }: ClassNamed): Condition => {
  const filter: Filter = { name: nameOf(topic), is: [value] }
  const layer = layerOf(topic) ?? ''
  return { features: { layer, filter } }
}

/** A "not" before an "or" covers both. */
export const eitherOf = (conditions: readonly Condition[]) =>
  conditions[0]?.isDenied ? undefined : combined('any', conditions)

/** A unit has a class where some of its frames do. */
export const ofClassInUnits = (classes: Condition, bounds: Bounds): Condition => ({
  ...classes,
  units: classes.frames && ofUnits({ of: { ...countOf(framesOf([classes.frames])), how: 'count' } }, bounds),
})

export const recorded = (topic: Topic): Condition => ({
  frames: { of: layerOf(topic) ?? '', name: nameOf(topic), recorded: true },
})

export const notAny = (conditions: readonly Condition[]) => {
  const own = eitherOf(conditions)
  return own && opposite(own)
}

export function ofPeople(catalogue: Catalogue, bounds: Bounds): Condition | undefined {
  const topic = topicNamed(catalogue, 'people') ?? topicNamed(catalogue, 'population')
  return topic && tested(amountOf(topic), bounds)
}

/** "Forest and woodland" are either; "rural and forest" are both. */
const subjectsIn = (condition: Condition) =>
  [...JSON.stringify(condition).matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name)

export const isOneSubject = (one: Condition, other: Condition) =>
  new Set([...subjectsIn(one), ...subjectsIn(other)]).size === 1

export const isOfTopic = (classes: Condition, topic: Topic) =>
  subjectsIn(classes).every((name) => name === nameOf(topic))

export const deniedOf = (condition: Condition | undefined) => condition && denied(condition)

const oppositeOf = (condition: Condition | undefined) => condition && opposite(condition)

/** Frames lie so far from features by what is kept of them, and features from others by their own points. */
export function farFrom(things: Things, range: Range, catalogue?: Catalogue): Condition | undefined {
  const layer = layerOf(things.topic)
  if (things.of !== 'features' || !things.topic || layer === undefined || things.among.length > 0) return undefined
  const kept = catalogue && things.where.length === 0 ? keptDistance(catalogue, things.topic, range) : undefined
  const near = range.unit.dimension === 'length' ? nearFilter(things, layer, range) : undefined
  const features = near && { layer: undefined, filter: near }
  return kept || near ? { frames: kept ?? near, features } : undefined
}

function keptDistance(catalogue: Catalogue, { label }: Topic, range: Range): Filter | undefined {
  const topic = wayTo(catalogue, label, range.unit.dimension === 'time' ? 'minutes' : 'km')
  const bounds = topic && inUnitOf(topic.unit, range)
  return bounds && { of: layerOf(topic) ?? '', name: nameOf(topic), ...bounds }
}

/** A distance is measured in whole metres, from one side. */
function nearFilter({ where }: Things, near: string, { bounds, unit }: Range): Filter | undefined {
  const [[bound, number] = [], ...more] = Object.entries(bounds) as [Bound, string][]
  if (number === undefined || bound === 'equals' || more.length > 0) return undefined
  const metres = Number(multiplyDecimal(number, unit.factor))
  const [first, ...others] = where
  if (!(metres > 0 && metres < METRES_MAX) || /"(said|on)"/.test(JSON.stringify(where))) return undefined
  const filter: Filter = { near, metres, ...(first && { where: others.length > 0 ? { all: where } : first }) }
  return bound === 'above' || bound === 'atLeast' ? { not: filter } : filter
}

/** A test of an amount is one of each frame, of each feature, and of the figure of each unit. */
export function tested(amount: Amount | undefined, bounds: Bounds | undefined): Condition | undefined {
  if (!amount || !bounds || amount.unit) return undefined
  const figure = closed(amount)
  const units = figure && { units: ofUnits({ of: figure }, bounds) }
  const own = testOf(amount, bounds)
  return own || units ? { ...own, ...units } : undefined
}

/** A number in another unit of measure than that of the topic is changed into it. "Hours" may be hours per year. */
export function inUnitOf(topicUnit: string | undefined, { bounds, unit }: Range): Bounds | undefined {
  const own = unitOfMeasureNamed(topicUnit?.split(' per ')[0])
  if (!own || own.dimension !== unit.dimension) return undefined
  const scale = (number: string | number) => {
    const exact = Number(number) * (Number(unit.factor) / Number(own.factor))
    return String(Number(exact.toPrecision(12)))
  }
  return Object.fromEntries(Object.entries(bounds).map(([bound, number]) => [bound, scale(number as string)])) as Bounds
}

export const measured = (amount: Amount, range: Range) => tested(amount, inUnitOf(amount.topic?.unit, range))

export const SOME: Bounds = { above: '0' }

export const NONE: Bounds = { equals: '0' }

export const withSome = (things: Things) => withThings(things, SOME)

export const withNone = (things: Things) => withThings(things, NONE)

/** "Within 2 km of", and "over 2 km from": "over 2 km of road" is a length. */
export const isAway = (away: string, ...ranges: readonly Range[]) =>
  away !== 'of' || ranges.every(({ bounds }) => bounds.atMost !== undefined)

/** "Not in Marembe and urban" may mean either. */
export const isBoth = ({ frames, features, units }: Condition) =>
  [frames, features?.filter, units].some((filter) => filter !== undefined && 'all' in filter)

export const without = (catalogue: Catalogue, things: Things, range: Range) => {
  const own = oppositeRange(range)
  return things.where.length > 0
    ? oppositeOf(farFrom(things, range, catalogue))
    : own && farFrom(things, own, catalogue)
}

export const eachWay = (all: readonly (Condition | undefined)[]) => {
  const found = all.flatMap((condition) => condition ?? [])
  return found.length === all.length ? found : undefined
}

export const rangeOf = (series: readonly Topic[], range: Range) => {
  const [topic, ...more] = series
  return topic && more.length === 0 ? measured(amountOf(topic), range) : undefined
}

/** "Within 5 km of a school or a clinic" is within it of one of them; "over 5 km from" is not read. */
export function eitherWay(catalogue: Catalogue, range: Range, all: readonly Things[]): Condition | undefined {
  const found = eachWay(all.map((things) => farFrom(things, range, catalogue)))
  const isFar = range.bounds.above !== undefined || range.bounds.atLeast !== undefined
  return found && (isFar ? undefined : combined('any', found))
}

/** "Frames above 300 m": the one free topic in metres. */
export function onlyMeasuredIn({ topics }: Catalogue, range: Range): Condition | undefined {
  const [topic, ...more] = topics.filter(
    ({ unit, isPaid, subject }) =>
      !isPaid && subject.kind === 'attribute' && unitOfMeasureNamed(unit)?.name === range.unit.name,
  )
  return topic && more.length === 0 ? measured(amountOf(topic), range) : undefined
}

/** "With people": what adds up, without a condition of its own. */
export const isPlainTotal = ({ is, topic, things, how }: Amount) =>
  is === 'attribute' && topic?.summary === 'sum' && how === undefined && things.where.length === 0

/** Several places have a figure each. */
export const listedOf = (condition: Condition): Condition => {
  const { frames } = condition
  return frames && 'said' in frames ? { ...condition, frames: { ...frames, said: { ...(frames as OfPlace).said, isListed: true } } as OfPlace } : condition // prettier-ignore
}

/** No frame is urban and rural, or in two places. */
export function isContrary(
  { frames: one, isPlace, isDenied }: Condition,
  { frames: other, ...more }: Condition,
): boolean {
  if (isPlace && more.isPlace && !isDenied && !more.isDenied)
    return one !== undefined && other !== undefined && !('not' in one) && !('not' in other)
  const classesIn = (filter: Filter | undefined): Filter[] =>
    !filter ? [] : 'all' in filter ? filter.all.flatMap(classesIn) : 'is' in filter && 'name' in filter ? [filter] : []
  const keyOf = (filter: Filter) => JSON.stringify({ ...filter, is: [] })
  const known = classesIn(one).map(keyOf)
  return classesIn(other).some((filter) => known.includes(keyOf(filter)))
}

export const bothOf = (one: Condition | undefined, other: Condition | undefined) =>
  one &&
  other &&
  !isContrary(one, other) &&
  (!one.isInUnits || other.isInUnits === true) &&
  (!one.isDenied || other.isDenied === true)
    ? combined('all', [one, other])
    : undefined

/** The most common class of a unit. */
export function mostly(topic: Topic, classes: Condition): Condition | undefined {
  const figure = closed(amountOf(topic))
  const test = classes.frames
  if (!figure || !test || !('is' in test) || !('name' in test) || test.name !== nameOf(topic)) return undefined
  return { units: ofUnits({ of: figure }, { is: test.is }) }
}

/** A frame, or a unit, has more of one than of the other. */
export function moreAmount(one: Amount, other: Amount, bounds: Bounds = SOME): Condition | undefined {
  const [first, second] = [closed(one), closed(other)]
  const isPlain = [one, other].every(
    ({ is, things, how }) => is === 'attribute' && how === undefined && things.where.length === 0,
  )
  if (!first || !second || !isPlain || first.how !== 'sum' || second.how !== 'sum' || !one.topic || !other.topic)
    return undefined
  const [of, minus] = [one.topic, other.topic].map((topic) => ({ of: layerOf(topic) ?? '', name: nameOf(topic) }))
  return (
    of &&
    minus && {
      frames: { ...of, minus, ...bounds },
      units: ofUnits({ of: first, op: 'difference', to: second }, bounds),
    }
  )
}

export function moreOf(one: Things, other: Things, bounds: Bounds = SOME): Condition | undefined {
  const [first, second] = [one, other].map((things) => withThings(things, SOME) && closed(countOf(things)))
  return first && second && { units: ofUnits({ of: first, op: 'difference', to: second }, bounds) }
}

export const bounded = (bound: Bound, number: string): Bounds => ({ [bound]: number })
