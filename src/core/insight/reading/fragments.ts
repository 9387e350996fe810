/**
 * The fragments that a question is cut into, and one table of how they join: what a condition does beside frames,
 * features and units. A builder answers undefined where parts do not go together, and ignores none.
 */
import { defined } from '../../defined.js'
import type { AlgebraFigure, Bounds, Filter, Measure } from '../../figures/index.js'
import type { UnitOfMeasure } from '../../numbers/index.js'
import { UNIT_LEVELS, type UnitLevel } from '../../place.js'
import type { NamedPlace } from './reading.js'
import { isAdded, layerOf, type Topic } from './topic.js'

/** The words of a place stand beside its filter while a question is read. */
export type OfPlace = Filter & { said: NamedPlace }

/** One condition of a question, as it tests frames, features (of a dataset, or of any) and units. */
export type Condition = {
  frames?: Filter | undefined
  features?: { layer: string | undefined; filter: Filter } | undefined
  /** The filter has LEVEL in place of the level of the units. */
  units?: Filter | undefined
  /** Frames, features and units lie in a place. */
  isPlace?: boolean
  /** "In wards with a school": what "and" adds behind it is of the wards. */
  isInUnits?: boolean
  /** "In secondary schools". */
  isInFeatures?: boolean
  /** "In urban frames". */
  isOfFrames?: boolean
  /** "With over 50 people": frames and units have them, but no features and no other people. */
  isOwned?: boolean
  /** "Not in Marembe": nothing may follow it, for it might be negated too. */
  isDenied?: boolean
}

/** `where` tests the things themselves, and `among` the frames that they are on. */
export type Things = {
  of: 'frames' | 'features' | UnitLevel
  topic?: Topic
  where: Filter[]
  among: Filter[]
  isDenied?: boolean
}

/** Without `how`, the amount is open: the usual statistic of its topic closes it. */
export type Amount = {
  is: 'attribute' | 'property' | 'count' | 'extent' | 'land' | 'unit figure'
  topic?: Topic
  things: Things
  /** The figure of each unit, where the amount is a unit figure. */
  own?: Calculation
  how?: NonNullable<Measure['how']>
  /** A quantile is at this part: 0.9 of the 90th percentile. */
  at?: number
  weight?: Topic
  unit?: UnitOfMeasure
  /** "Rural population": the class is of this amount alone. */
  isNamed?: true
  /** "Average population of urban frames", "per frame": an average needs the things that it goes over. */
  isOverFrames?: true
}

/** Amounts are closed in it, and compared. */
export type Calculation = {
  of: Amount
  op?: NonNullable<AlgebraFigure['op']>
  to?: Amount
  times?: string
  unit?: UnitOfMeasure
  /** Between which bounds it lies. */
  isInterval?: true
  /** The difference of the highest and the lowest. */
  isRange?: true
}
/** The parts of a figure that groups have. */
export type Grouping = Pick<AlgebraFigure, 'by' | 'having' | 'order' | 'n' | 'nth' | 'inEach' | 'toBy'> & {
  /** The groups are classes of these features. */
  groupsOf?: string
}
export type FigureFragment = Calculation & Grouping

const all = (filters: readonly Filter[]): Filter | undefined =>
  filters.length > 1 ? { all: [...filters] } : filters[0]
const any = (filters: readonly Filter[]): Filter => {
  const [first] = filters
  // Classes of one attribute are one test.
  if (first && 'is' in first && filters.every((each) => 'is' in each && sameButClasses(each, first)))
    return { ...first, is: filters.flatMap((each) => ('is' in each ? each.is : [])) }
  return filters.length > 1 ? { any: [...filters] } : (first ?? { any: [] })
}
const sameButClasses = (a: object, b: object) => JSON.stringify({ ...a, is: 0 }) === JSON.stringify({ ...b, is: 0 })
const negated = (filter: Filter): Filter => ('not' in filter ? filter.not : { not: filter })

export function combined(how: 'all' | 'any', conditions: readonly Condition[]): Condition | undefined {
  const join = (filters: readonly Filter[]) => (how === 'all' ? all(filters) : any(filters))
  const frames = conditions.flatMap(({ frames: each }) => each ?? [])
  // Beside a test of features, one of frames is a test of the frames that they are on.
  const hasOwn = conditions.some((each) => each.features)
  const features = conditions.flatMap(
    ({ features: each, frames: on }) => each ?? (hasOwn && on ? { layer: undefined, filter: { on } } : []),
  )
  const units = conditions.flatMap(({ units: each }) => each ?? [])
  const layers = new Set(features.flatMap(({ layer }) => layer ?? []))
  const isOf = (some: readonly unknown[]) => some.length === conditions.length
  const ofFeatures = isOf(features) && layers.size < 2 ? join(features.map(({ filter }) => filter)) : undefined
  const condition = {
    frames: isOf(frames) ? join(frames) : undefined,
    features: ofFeatures && { layer: [...layers][0], filter: ofFeatures },
    units: isOf(units) ? join(units) : undefined,
    isPlace: conditions.every(({ isPlace }) => isPlace),
    isDenied: conditions.some(({ isDenied }) => isDenied),
    isOwned: conditions.some(({ isOwned }) => isOwned),
  }
  return condition.frames || condition.features || condition.units ? condition : undefined
}

export const opposite = ({ frames, features, units, isOwned = false, isPlace = false }: Condition): Condition => ({
  frames: frames && negated(frames),
  features: features && { ...features, filter: negated(features.filter) },
  units: units && negated(units),
  isPlace,
  isOwned,
})

export const denied = (condition: Condition): Condition => ({ ...opposite(condition), isDenied: true })

/** Features that stand on frames of a kind, and units that lie in a place, are on those frames. */
export function limited(given: Things, condition: Condition): Things | undefined {
  const { frames, features, units, isPlace = false, isDenied = false } = condition
  if (given.isDenied === true && !isDenied) return undefined
  // "Outside Central of Marembe": Central may be that of Marembe.
  const last = [...given.where, ...given.among].at(-1)
  if (isPlace && frames && 'said' in frames && last && 'not' in last && JSON.stringify(last).includes('"said"'))
    return undefined
  const things: Things = isDenied ? { ...given, isDenied } : given
  const { of, topic, where, among } = things
  if (of === 'frames') return frames && { ...things, where: [...where, frames] }
  if (of === 'features') {
    const isOwn = features && (features.layer === undefined || features.layer === layerOf(topic))
    if (isOwn) return { ...things, where: [...where, features.filter] }
    // A test of frames by these very features is none of the features.
    if (!frames || condition.isOwned || JSON.stringify(frames).includes(`"of":"${layerOf(topic)}"`)) return undefined
    return { ...things, among: [...among, frames] }
  }
  // A unit has no units above it.
  const place = frames && 'units' in frames && 'named' in frames ? frames.units : undefined
  if (place && UNIT_LEVELS.indexOf(place) >= UNIT_LEVELS.indexOf(of)) return undefined
  if (units) return { ...things, where: [...where, atLevel(units, of)] }
  return isPlace && frames ? { ...things, among: [...among, frames] } : undefined
}

export function limitedAmount(amount: Amount, condition: Condition): Amount | undefined {
  const things = limited(amount.things, condition)
  // The place of a figure of units is that of its frames, too.
  if (!things || amount.is === 'unit figure' || (condition.isOwned && amount.is === 'attribute')) return undefined
  // Pupils are in schools, and schools in none.
  const isOfSame = amount.is === 'count' && layerOf(amount.topic) === condition.features?.layer
  if (condition.isInFeatures && isOfSame) return undefined
  return { ...amount, things, ...(condition.isOfFrames && { isOverFrames: true }) }
}

export function limitedCalculation(calculation: Calculation, condition: Condition): Calculation | undefined {
  const { of, to } = calculation
  const limitedOf = limitedAmount(of, condition)
  const limitedTo = to && limitedAmount(to, condition)
  if (!limitedOf || (to && !limitedTo)) return undefined
  return { ...calculation, of: limitedOf, ...(limitedTo && { to: limitedTo }) }
}

export const isOfUnits = (things: Things): things is Things & { of: UnitLevel } =>
  things.of !== 'frames' && things.of !== 'features'
export const amountOf = (topic: Topic): Amount => ({ is: 'attribute', topic, things: framesOf() })
export const countOf = (things: Things): Amount => ({
  is: 'count',
  ...(things.topic && { topic: things.topic }),
  things,
})
export const propertyOf = (topic: Topic, things: Things): Amount | undefined =>
  things.of === 'features' && layerOf(things.topic) === layerOf(topic) ? { is: 'property', topic, things } : undefined
/** The things whose property it is need no name: "beds", "pupils". */
export const ownProperty = ({ topics }: { topics: readonly Topic[] }, topic: Topic): Amount | undefined => {
  const owner = topics.find((each) => each.type === 'features' && layerOf(each) === layerOf(topic))
  return owner && propertyOf(topic, featuresOf(owner))
}

export const framesOf = (where: readonly Filter[] = []): Things => ({ of: 'frames', where: [...where], among: [] })
export const featuresOf = (topic: Topic): Things => ({ of: 'features', topic, where: [], among: [] })

/** The frames that the things are on, as a condition of other things: "people in wards with a school". */
export function standingOn({ of, topic, where, among }: Things): Condition | undefined {
  if (of === 'frames') return where.length > 0 ? { frames: all(where), isOfFrames: true } : undefined
  if (of !== 'features') return where.length > 0 ? { frames: all([...where, ...among]), isInUnits: true } : undefined
  const tests = [...where, ...among.map((on): Filter => ({ on }))]
  const filter = all(tests)
  const layer = layerOf(topic)
  const own = filter && layer !== undefined ? { features: { layer, filter }, isInFeatures: true } : {}
  return { ...withThings({ of, ...(topic && { topic }), where: tests, among: [] }, { above: '0' }), ...own }
}

/** "With a clinic", "without a clinic", "with at least 3 clinics": of frames, and of units. */
export function withThings({ of, topic, where, among }: Things, bounds: Bounds): Condition | undefined {
  const layer = layerOf(topic)
  if (of !== 'features' || !topic || layer === undefined || among.length > 0) return undefined
  const filter = all(where)
  const count: Amount = { is: 'count', topic, things: { of, topic, where, among }, how: 'count' }
  return { frames: { of: layer, ...(filter && { where: filter }), ...bounds }, units: ofUnits({ of: count }, bounds) }
}

const LEVEL = '*'
const atLevel = (filter: Filter, level: UnitLevel): Filter =>
  rewritten(filter, (name, value) => (name === 'units' && value === LEVEL ? level : value))

/** The value with other members: those that are undefined go. */
function rewritten<Value>(value: Value, change: (name: string, value: unknown) => unknown): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => rewritten(each, change)) as Value
  const members = Object.entries(value).map(([name, each]) => [name, rewritten(change(name, each), change)] as const)
  return Object.fromEntries(members.filter(([, each]) => each !== undefined)) as Value
}

/** The figure of each unit passes. */
export const ofUnits = (calculation: Calculation, test: Bounds | { is: string[] }): Filter => ({
  units: LEVEL as UnitLevel,
  figure: figureOf(calculation),
  ...test,
})

/** A value of each frame or feature passes. */
export function testOf(amount: Amount, bounds: Bounds): Condition | undefined {
  const { is, topic, things, how } = amount
  const layer = layerOf(topic)
  if (how !== undefined || layer === undefined || !topic) return undefined
  if (is === 'count') return withThings(things, bounds)
  const name = nameOf(topic)
  const isPlain = things.where.length + things.among.length === 0
  if (is === 'attribute')
    return isPlain && topic.type !== 'category' && name !== '' ? { frames: { of: layer, name, ...bounds } } : undefined
  if (is !== 'property' || topic.type !== 'number' || things.among.length > 0) return undefined
  const filter = all(things.where)
  return {
    frames: { of: layer, name, ...(filter && { where: filter }), ...bounds },
    ...(isPlain && { features: { layer, filter: { name, ...bounds } } }),
  }
}

export const nameOf = ({ subject }: Topic): string =>
  subject.kind === 'attribute' ? subject.attribute : subject.kind === 'property' ? subject.property : ''

/** The statistic that closes an open amount; undefined where it has none. */
export function usualOf({ is, topic }: Amount): Measure['how'] | undefined {
  if (is === 'count') return 'count'
  if (is === 'extent' || is === 'land' || !topic) return 'sum'
  if (topic.type === 'category') return 'mode'
  // Years have an earliest and a latest.
  if (is === 'property' && topic.summary === 'none') return 'min'
  return topic.summary === 'none' ? undefined : topic.summary === 'count' ? 'sum' : topic.summary
}

/** A total needs values that add up; an average of frames is none of units. */
export function closed(amount: Amount, how?: Measure['how']): Amount | undefined {
  const { is, topic } = amount
  if (amount.how !== undefined) return how === undefined || how === amount.how ? amount : undefined
  const usual = usualOf(amount)
  const own = how ?? usual
  if (own === undefined) return undefined
  const isNumber = is !== 'count' && topic?.type !== 'category'
  if (own === 'sum' && !(isNumber && (!topic || is === 'extent' || isAdded(topic)))) return undefined
  if ((own === 'median' || own === 'quantile') && topic?.summary === 'none') return undefined
  if (['mean', 'weighted_mean', 'median', 'quantile', 'max', 'min'].includes(own) && !isNumber) return undefined
  return { ...amount, how: own }
}

/** A mean of frames that the catalogue weights is the weighted one. */
export const meanOf = (amount: Amount): Amount | undefined =>
  amount.is === 'attribute' && amount.topic && !isAdded(amount.topic)
    ? closed(amount)
    : amount.is === 'property' || amount.is === 'unit figure'
      ? closed(amount, 'mean')
      : undefined

/** An average of what adds up, over no things. */
export const isAverageOfNothing = ({ is, topic, how, isOverFrames }: Amount): boolean =>
  is === 'attribute' && how === 'mean' && topic !== undefined && isAdded(topic) && isOverFrames === undefined

/** The number of features on each frame, as an attribute of it. */
export function onFrames(amount: Amount): Amount | undefined {
  const { is, topic, things } = amount
  if (is === 'attribute' && amount.how === undefined) return amount
  if (is !== 'count' || things.of !== 'features' || !topic || things.where.length > 0) return undefined
  return { is: 'attribute', topic, things: { ...things, of: 'frames', where: things.among, among: [] } }
}

/** "Paved roads and gravel roads over 20 km": the length may be that of both. */
export const isUneven = ({ of: one, op }: Calculation, { of: other, ...more }: Calculation): boolean => {
  const [tests, others] = [one, other].map(({ things }) => [...things.where, ...things.among].filter((filter) => !('said' in filter)).length) // prettier-ignore
  const isAlike = one.is === other.is && one.topic === other.topic && op === more.op
  return isAlike && tests !== undefined && others !== undefined && tests > 0 && tests < others
}

export const isCountable = (amount: Amount): boolean =>
  amount.how === undefined && ['sum', 'count'].includes(usualOf(amount) ?? '')

const LAND = { of: 'frames', name: 'geom' }

function measureOf(amount: Amount): Measure {
  const { is, topic, things, how, at, own, weight } = amount
  const layer = layerOf(topic)
  const where = all(things.where)
  const among = all(things.among)
  const base = {
    ...(things.of === 'features' && layer !== undefined
      ? { things: layer }
      : things.of === 'frames'
        ? {}
        : { things: things.of }),
    place: [],
    ...(among && { among }),
    ...(where && { where }),
    ...(how && { how }),
    ...(at !== undefined && { at }),
    ...(weight && weightOf(weight)),
  }
  if (is === 'count') return base
  if (is === 'extent') return { ...base, subject: { extent: true } }
  if (is === 'land') return { ...base, subject: LAND }
  if (is === 'unit figure') return own ? { ...base, subject: { figure: figureOf(own) } } : base
  const name = topic ? nameOf(topic) : ''
  const subject = { ...(is === 'attribute' && layer !== undefined && { of: layer }), ...(name !== '' && { name }) }
  return { ...base, subject }
}

const weightOf = (topic: Topic) => ({ weight: { of: layerOf(topic) ?? '', name: nameOf(topic) } })

/** The figure of the algebra, without its place. */
export function figureOf({
  of,
  op,
  to,
  times,
  by,
  having,
  order,
  n,
  nth,
  inEach,
  toBy,
}: FigureFragment): AlgebraFigure {
  const figure = {
    of: measureOf(of),
    ...(op && { op }),
    ...(to && { to: measureOf(to) }),
    ...defined({ times, by, having, order, n, nth, inEach, toBy }),
  }
  return rewritten(figure, (name, value) => (name === 'said' ? undefined : value))
}
