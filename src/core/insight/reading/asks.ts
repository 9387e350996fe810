/**
 * Turns figures of the algebra into asks. One that has an operation of its own is told by it, with what helps to read
 * it: its bounds, the frames that pass, the figures beside it. Any other is told as a figure of the algebra.
 */
import { defined } from '../../defined.js'
import {
  type AlgebraFigure,
  type Bounds,
  type Filter,
  type Subject,
  type Test,
  testOfBounds,
} from '../../figures/index.js'
import type { Catalogue } from './catalogue.js'
import { type Amount, type FigureFragment, figureOf, nameOf, type OfPlace, usualOf } from './fragments.js'
import type { Ask, Condition, NamedPlace, Operation } from './reading.js'
import { layerOf, type Topic, yesAndNo } from './topic.js'

export function asksOf(catalogue: Catalogue, figure: FigureFragment, words: string): Ask[] {
  if (hasTwoClasses(figure.of.things.where)) return []
  const grouped = groupedAsk(catalogue, figure, words)
  if (grouped) return [grouped]
  const typed = typedAsk(catalogue, figure)
  if (typed) return isListOfFrames(figure, typed) ? [framesOfClass(typed), typed] : [typed]
  return figure.isInterval || figure.isRange ? [] : [figureAsk(catalogue, figure, words)]
}

/** "Forest and woodland in Lakeside": nothing has two classes of one category. */
function hasTwoClasses(filters: readonly Filter[]): boolean {
  const named = filters.flatMap((filter) => ('is' in filter && 'name' in filter ? [`${filter.of} ${filter.name}`] : []))
  return new Set(named).size < named.length
}

/** "Which frames are urban": their number as a part of those that record it, and their names. */
const isListOfFrames = ({ by }: FigureFragment, { where, operation }: Ask) =>
  by !== undefined && 'each' in by && operation.op === 'frames' && where.length === 1 && where[0]?.test.test === 'class'
function framesOfClass(ask: Ask): Ask {
  const [first] = ask.where
  return first?.test.test === 'class' && first.subject.kind === 'attribute'
    ? { ...ask, operation: { op: 'class', value: first.test.value }, where: [] }
    : ask
}

function figureAsk(catalogue: Catalogue, fragment: FigureFragment, words: string): Ask {
  const figure = figureOf(fragment)
  const subjects = subjectsOf(catalogue, figure)
  const own = fragment.of.topic?.subject
  const subject: Subject = own ?? { kind: 'index', figure: fragment.of.is === 'land' ? 'area' : 'frames' }
  const measure = isOwnUnit(fragment) ? undefined : fragment.unit?.name
  return { subject, operation: { op: 'figure', figure, subjects, words, ...defined({ measure }) }, where: [] }
}

/** A figure of units or classes. What limits all of its frames limits the ask: the answer names and counts them. */
function groupedAsk(catalogue: Catalogue, fragment: FigureFragment, words: string): Ask | undefined {
  const { of, by, unit } = fragment
  const passing = unitsPassing(catalogue, fragment)
  if (!passing && (!by || !('level' in by || 'class' in by) || fragment.isRange)) return undefined
  const common = passing?.scope ?? framesOfAll(fragment)
  const scope = scopeOf(catalogue, common)
  if (passing && !scope) return undefined
  const figure = passing?.figure ?? figureOf(scope ? withoutFrames(fragment, common) : fragment)
  const subject = passing?.subject ?? subjectOf(of) ?? INDEX('frames')
  const measure = isOwnUnit(fragment) ? undefined : unit?.name
  const subjects = subjectsOf(catalogue, figure)
  const { isInterval } = fragment
  return askOver(subject, { op: 'figure', figure, subjects, words, ...defined({ measure, isInterval }) }, scope ?? ALL)
}
const ALL: Scope = { where: [], places: [] }

/** The filters that both amounts have. Units without a frame that passes have none, and are groups of their own. */
function framesOfAll({ of, to, op, having, by }: FigureFragment): Filter[] {
  const own = framesOfAmount(of)
  const isOfAny = of.is === 'count' && of.things.of === 'frames' && op === undefined && having && by && 'level' in by
  if (isOfAny) return own.filter((filter) => isOfPlace(filter) || deniedOf(filter)?.every(isOfPlace))
  return to
    ? own.filter((filter) => !('recorded' in filter) && framesOfAmount(to).some((each) => same(each, filter)))
    : own
}

/** A share is one of all frames, and not of those that record the class. */
function withoutFrames(fragment: FigureFragment, filters: readonly Filter[]): FigureFragment {
  const { of, to, op } = fragment
  const rest = (amount: Amount): Amount => {
    const all = op === 'percent' ? withoutRecorded(framesOfAmount(amount)) : framesOfAmount(amount)
    const left = all.filter((filter) => !filters.some((each) => same(each, filter)))
    const { things } = amount
    return { ...amount, things: things.of === 'frames' ? { ...things, where: left } : { ...things, among: left } }
  }
  return { ...fragment, of: rest(of), ...(to && { to: rest(to) }) }
}

type UnitsPassing = { figure: AlgebraFigure; scope: Filter[]; subject: Subject }
/** "How many wards have a school", "which wards have no school": those whose own figure passes, of all. */
function unitsPassing(catalogue: Catalogue, { of, op, to, by, having }: FigureFragment): UnitsPassing | undefined {
  const { is, things } = of
  const isShare = op === 'percent' && to?.is === 'count' && ownTests(to).length === 0
  if (is !== 'count' || things.of === 'features' || (op !== undefined && !isShare)) return undefined
  const isOfAny = by !== undefined && 'level' in by && String(having?.above) === '0'
  const level = things.of !== 'frames' ? things.of : isOfAny ? by.level : undefined
  const isOfUnits = (filter: Filter) => 'units' in filter && 'figure' in filter
  const [filter, ...more] = things.where.filter(isOfUnits)
  if (!filter || more.length > 0 || !('figure' in filter) || !('units' in filter) || 'is' in filter) return undefined
  const { units, figure, not: _not, ...bounds } = filter as Extract<Filter, { figure: AlgebraFigure }> & { not?: never }
  if (units !== level || (things.of !== 'frames' && by)) return undefined
  const { things: layer, subject } = figure.of
  const topic = catalogue.topics.find(
    (each) => layerOf(each) === (layer ?? subject?.of) && nameOf(each) === (subject?.name ?? ''),
  )
  const scope = [...things.where.filter((each) => each !== filter), ...things.among]
  return {
    figure: { ...figure, by: { level }, having: bounds as Bounds },
    scope,
    subject: topic?.subject ?? INDEX(subject?.name === 'geom' ? 'area' : 'frames'),
  }
}

/** Every subject that the figure reads: its dataset is paid for. */
function subjectsOf({ topics }: Catalogue, figure: AlgebraFigure): Subject[] {
  const layers = new Set<string>()
  const names = new Set<string>()
  JSON.stringify(figure, (key, value: unknown) => {
    if (/^(of|near|things)$/.test(key) && typeof value === 'string') layers.add(value)
    if (key === 'name' && typeof value === 'string') names.add(value)
    return value
  })
  return topics.flatMap((topic) => {
    const isNamed = topic.type === 'features' || names.has(nameOf(topic))
    return layers.has(layerOf(topic) ?? '') && isNamed ? [topic.subject] : []
  })
}

/** Kilometres of lines and square kilometres of land are what answers say anyway. */
const isOwnUnit = ({ of, op, unit }: FigureFragment) =>
  unit === undefined || (unit.name === 'km' && of.is === 'extent') || (unit.name === 'km²' && (of.is === 'extent' || of.is === 'land' || op === 'ratio')) // prettier-ignore

/** The frames that a figure is over, in conditions that an ask has; undefined where it has no such conditions. */
type Scope = { where: Condition[]; places: NamedPlace[] }

function scopeOf(catalogue: Catalogue, filters: readonly Filter[]): Scope | undefined {
  const scope: Scope = { where: [], places: [] }
  for (const filter of filters.flatMap(partsOf)) {
    const [own, ...more] = deniedOf(filter) ?? [filter]
    const isDenied = own !== filter
    for (const each of [own, ...more]) {
      if (!each) return undefined
      if (isOfPlace(each)) scope.places.push({ ...each.said, ...(isDenied && { isExcluded: true as const }) })
      else {
        const condition = conditionOf(catalogue, each, isDenied)
        if (!condition) return undefined
        scope.where.push(condition)
      }
    }
  }
  return scope
}
const isOfPlace = (filter: Filter): filter is OfPlace => 'said' in filter
const partsOf = (filter: Filter): Filter[] => ('all' in filter ? filter.all.flatMap(partsOf) : [filter])
/** What passes none of these. */
function deniedOf(filter: Filter): Filter[] | undefined {
  if (!('not' in filter)) return undefined
  const { not } = filter
  if ('any' in not) return not.any.flatMap((each) => deniedOf({ not: each }) ?? [])
  if ('is' in not && 'name' in not && !isOfPlace(not)) return not.is.map((value) => ({ ...not, is: [value] }))
  return [not]
}

function conditionOf({ topics }: Catalogue, filter: Filter, isDenied: boolean): Condition | undefined {
  if (!('of' in filter) || filter.of === undefined || 'minus' in filter || 'units' in filter) return undefined
  const { of, name, where } = filter
  const topic = topics.find(
    (each) => layerOf(each) === of && nameOf(each) === (name ?? '') && each.subject.kind !== 'property',
  )
  if (!topic) return undefined
  const { subject } = topic
  if (where) return name === undefined && !isDenied ? ofOneClass(topics, of, filter) : undefined
  if ('is' in filter) {
    const [value = '', ...more] = filter.is
    return more.length === 0 ? { subject, test: { test: isDenied ? 'not_class' : 'class', value } } : undefined
  }
  // A number of 0 is recorded.
  if ('recorded' in filter && topic.type === 'number') return undefined
  if ('recorded' in filter) return { subject, test: { test: isDenied ? 'none' : 'any' } }
  if ('has' in filter) return undefined
  const test = testOfBounds(filter)
  return test && (isDenied ? opposite(subject, test) : { subject, test })
}
const OPPOSITE = { above: 'atMost', atLeast: 'below', below: 'atLeast', atMost: 'above' } as const
function opposite(subject: Subject, test: Test): Condition | undefined {
  if (test.test === 'any' || test.test === 'none')
    return { subject, test: { test: test.test === 'any' ? 'none' : 'any' } }
  if (test.test !== 'bounds') return undefined
  const { test: _test, ...bounds } = test
  const [[bound, number] = [], ...more] = Object.entries(bounds) as [keyof typeof OPPOSITE, string][]
  return bound && more.length === 0 ? { subject, test: { test: 'bounds', [OPPOSITE[bound]]: number } } : undefined
}
/** "With a secondary school". */
function ofOneClass(
  topics: readonly Topic[],
  layer: string,
  filter: Extract<Filter, { where?: unknown }>,
): Condition | undefined {
  const { where } = filter
  const isSome = String((filter as Bounds).above) === '0'
  const own = where && 'is' in where && 'name' in where && where.is.length === 1 ? where : undefined
  const topic = own && topics.find((each) => layerOf(each) === layer && nameOf(each) === own.name)
  return topic && isSome ? { subject: topic.subject, test: { test: 'class', value: own.is[0] ?? '' } } : undefined
}

/** The frames of an amount. Features and units are on them. */
const framesOfAmount = ({ things }: Amount): Filter[] => (things.of === 'frames' ? things.where : things.among)
const ownTests = ({ things }: Amount): Filter[] => (things.of === 'frames' ? [] : things.where)
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const INDEX = (figure: 'frames' | 'area' | 'state' | 'lga' | 'ward'): Subject => ({ kind: 'index', figure })
function subjectOf({ is, topic, things }: Amount): Subject | undefined {
  if (is === 'land') return INDEX('area')
  if (is === 'count' && things.of === 'frames') return INDEX('frames')
  if (is === 'count' && things.of !== 'features') return INDEX(things.of)
  return topic?.subject
}

function typedAsk(catalogue: Catalogue, figure: FigureFragment): Ask | undefined {
  const { of, op, to, nth, by } = figure
  if (nth !== undefined || of.weight || of.own || !isOwnUnit(figure)) return undefined
  // Arithmetic of an ask counts features.
  if (op !== undefined && (of.is === 'extent' || to?.is === 'extent')) return undefined
  const scope = scopeOf(catalogue, framesOfAmount(of))
  const subject = subjectOf(of)
  if (!scope || !subject) return undefined
  if (op === undefined && !by) return singleAsk(catalogue, figure, { subject, scope })
  if (by) return op === undefined && 'each' in by ? namedAsk(catalogue, figure, { subject, scope }) : undefined
  if (ownTests(of).length > 0 || (to && ownTests(to).length > 0 && op !== 'percent')) return undefined
  if (op === 'percent') return shareAsk(catalogue, figure, subject)
  if (op !== undefined && (!to || !same(withoutRecorded(framesOfAmount(to)), withoutRecorded(framesOfAmount(of)))))
    return undefined
  return askOver(subject, comparison(figure), scope)
}
const withoutRecorded = (filters: readonly Filter[]) => filters.filter((filter) => !('recorded' in filter))
const askOver = (subject: Subject, operation: Operation | undefined, { where, places }: Scope): Ask | undefined =>
  operation && { subject, operation, where, ...(places.length > 0 && { places }) }

type Of = { subject: Subject; scope: Scope }
const ALONE: Partial<Record<NonNullable<Amount['how']>, Operation['op']>> = {
  median: 'median',
  min: 'min',
  max: 'max',
  mean: 'mean',
}

/** Without arithmetic and groups. */
function singleAsk(catalogue: Catalogue, figure: FigureFragment, { subject, scope }: Of): Ask | undefined {
  const { of } = figure
  const { is, things, how } = of
  if (figure.isRange) return askOver(subject, { op: 'range' }, scope)
  if (figure.isInterval) return askOver(subject, { op: 'interval', ...(how === 'mean' && { of: 'mean' }) }, scope)
  const tests = ownTests(of)
  if (is === 'count' && things.of === 'frames') return framesAsk(scope)
  if (is === 'count' && things.of === 'features' && tests.length > 0) return classOfFeatures(catalogue, of, scope)
  if (tests.length > 0) return undefined
  if (is === 'extent') return askOver(subject, { op: 'extent' }, scope)
  if (how === 'distinct' || how === 'quantile') return undefined
  const isUsual = (is !== 'attribute' && is !== 'property') || how === usualOf(of)
  if (is === 'property' && things.where.length > 0) return undefined
  return askOver(
    subject,
    isUsual ? { op: 'usual' } : how && ALONE[how] ? ({ op: ALONE[how] } as Operation) : undefined,
    scope,
  )
}

/** "Urban frames": those of a class are also a part of the frames that record it. */
function framesAsk(scope: Scope): Ask | undefined {
  const { where, places } = scope
  const [first, ...more] = where
  if (!first) return askOver(INDEX('frames'), places.length > 0 ? { op: 'frames' } : { op: 'usual' }, scope)
  if (more.length === 0 && first.test.test === 'class' && first.subject.kind === 'attribute')
    return askOver(first.subject, { op: 'class', value: first.test.value }, { where: [], places })
  return askOver(first.subject, { op: 'frames' }, scope)
}

/** "Secondary schools", "schools without boarding". */
function classOfFeatures({ topics }: Catalogue, of: Amount, scope: Scope): Ask | undefined {
  const [test, ...more] = ownTests(of)
  const isDenied = test !== undefined && 'not' in test
  const own = isDenied ? test.not : test
  if (!own || more.length > 0 || !('is' in own) || !('name' in own) || own.of !== undefined || own.is.length > 1)
    return undefined
  const topic = topics.find((each) => layerOf(each) === layerOf(of.topic) && nameOf(each) === own.name)
  const [value = ''] = own.is
  const flag = topic && yesAndNo(topic)
  if (!topic || (isDenied && !flag)) return undefined
  const [yes, no] = flag ?? [value, value]
  return askOver(topic.subject, { op: 'class', value: isDenied ? (value === yes ? no : yes) : value }, scope)
}

/** Names of frames and features, and their order. */
function namedAsk(
  catalogue: Catalogue,
  { of, order, n, having }: FigureFragment,
  { subject, scope }: Of,
): Ask | undefined {
  const { is, topic, things } = of
  if (having || is === 'extent') return undefined
  if (ownTests(of).length > 0)
    return is === 'count' && things.of === 'features' && !order ? classOfFeatures(catalogue, of, scope) : undefined
  if (is === 'count' && things.of === 'frames')
    return order || scope.where.length + scope.places.length === 0
      ? undefined
      : askOver(scope.where[0]?.subject ?? subject, { op: 'frames' }, scope)
  if (is === 'count') return order ? undefined : askOver(subject, { op: 'names' }, scope)
  if (!order || !topic) return undefined
  const isOfFeatures = is === 'property'
  if (isOfFeatures && n !== 1) return undefined
  const extreme = order === 'highest' ? 'max' : 'min'
  return askOver(subject, n === 1 ? { op: extreme } : { op: 'rank', order, ...defined({ n }) }, scope)
}

/** A part of a whole. Conditions of the whole are those of the places alone, or the whole is one of frames. */
function shareAsk(catalogue: Catalogue, figure: FigureFragment, subject: Subject): Ask | undefined {
  const { of, to } = figure
  if (!to) return undefined
  const whole = withoutRecorded(framesOfAmount(to))
  const part = scopeOf(catalogue, withoutRecorded(framesOfAmount(of)).filter((filter) => !whole.some((each) => same(each, filter)))) // prettier-ignore
  const wholes = scopeOf(catalogue, whole)
  if (!part || !wholes) return undefined
  if (figure.isInterval)
    return wholes.where.length > 0
      ? undefined
      : askOver(
          subject,
          { op: 'interval', of: 'portion' },
          { where: part.where, places: [...part.places, ...wholes.places] },
        )
  if (of.is === 'count' && of.things.of === 'frames') return shareOfFrames(part, wholes)
  if (wholes.where.length > 0 || (wholes.places.length > 0 && part.where.length === 0)) return undefined
  if (part.where.length + part.places.length === 0) return undefined
  if (wholes.places.length > 0 && part.places.length > 0) return undefined
  return askOver(subject, { op: 'portion' }, { where: part.where, places: [...part.places, ...wholes.places] })
}
function shareOfFrames(part: Scope, whole: Scope): Ask | undefined {
  const [first, ...more] = part.where
  if (!first || part.places.length > 0) return whole.where.length > 0 ? undefined : askOver(first?.subject ?? INDEX('frames'), { op: 'frames' }, { where: part.where, places: [...part.places, ...whole.places] }) // prettier-ignore
  if (whole.where.length > 0)
    return askOver(first.subject, { op: 'frames', whole: whole.where }, { where: part.where, places: whole.places })
  const isClass = more.length === 0 && first.test.test === 'class' && first.subject.kind === 'attribute'
  if (isClass && first.test.test === 'class')
    return askOver(first.subject, { op: 'class', value: first.test.value }, { where: [], places: whole.places })
  return askOver(first.subject, { op: 'frames' }, { where: part.where, places: whole.places })
}

/** A figure of two amounts. */
function comparison({ op, to, times, isInterval }: FigureFragment): Operation | undefined {
  if (op === 'ratio' && to?.is === 'land') return isInterval ? { op: 'interval', of: 'per_km2' } : { op: 'per_km2' }
  const other = to && subjectOf(to)
  if (!other || isInterval) return undefined
  if (op === 'ratio') return other.kind === 'index' ? undefined : { op: 'per', other, ...defined({ times }) }
  return op === 'change' ? { op: 'change', other } : undefined
}
