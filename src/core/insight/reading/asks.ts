/**
 * Turns figures of the algebra into asks. One that has an operation of its own is told by it, with what helps to read
 * it: its bounds, the frames that pass, the figures beside it. Any other is told as a figure of the algebra.
 */
import { defined } from '../../defined.js'
import type { AlgebraFigure, Bounds, Filter, Subject, Test } from '../../figures/index.js'
import type { Catalogue } from './catalogue.js'
import { type Amount, type FigureFragment, figureOf, nameOf, type OfPlace, usualOf } from './fragments.js'
import type { Ask, Condition, GroupMeasure, NamedPlace, Operation } from './reading.js'
import { layerOf, type Topic, yesAndNo } from './topic.js'

export function asksOf(catalogue: Catalogue, figure: FigureFragment, words: string): Ask[] {
  if (hasTwoClasses(figure.of.things.where)) return []
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
  const test = testOf(filter)
  return test && (isDenied ? opposite(subject, test) : { subject, test })
}
function testOf({ above, atLeast, below, atMost, equals }: Bounds): Test {
  if (String(equals) === '0') return { test: 'none' }
  if (equals !== undefined) return { test: 'bounds', atLeast: String(equals), atMost: String(equals) }
  const bounds = Object.entries({ above, atLeast, below, atMost }).flatMap(([bound, number]) =>
    number === undefined ? [] : [[bound, String(number)] as const],
  )
  const isSome = bounds.length === 1 && String(above) === '0'
  return isSome ? { test: 'any' } : { test: 'bounds', ...Object.fromEntries(bounds) }
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
  const { of, op, to, nth, inEach, by, having } = figure
  if (nth !== undefined || inEach || of.weight || of.own || !isOwnUnit(figure)) return undefined
  // Arithmetic of an ask counts features.
  if (op !== undefined && (of.is === 'extent' || to?.is === 'extent')) return undefined
  // Units that pass: each is counted by its frames.
  const isOfUnits = of.is === 'count' && of.things.of === 'frames' && op === undefined && String(having?.above) === '0'
  if (isOfUnits && by && 'level' in by) return namedUnits(catalogue, figure, INDEX(by.level))
  const scope = scopeOf(catalogue, framesOfAmount(of))
  const subject = subjectOf(of)
  if (!scope || !subject) return undefined
  if (op === undefined && !figure.by) return singleAsk(catalogue, figure, { subject, scope })
  if (op === undefined && figure.by && 'each' in figure.by) return namedAsk(catalogue, figure, { subject, scope })
  if (ownTests(of).length > 0 || (to && ownTests(to).length > 0 && op !== 'percent')) {
    const part = op === 'percent' ? shareOfUnits(catalogue, figure) : undefined
    return part
  }
  if (op === 'percent') return shareAsk(catalogue, figure, subject)
  if (op !== undefined && (!to || !same(withoutRecorded(framesOfAmount(to)), withoutRecorded(framesOfAmount(of)))))
    return undefined
  const measure = measureOf(figure)
  if (measure === undefined) return undefined
  return figure.by ? groupAsk(figure, { subject, scope, measure }) : askOver(subject, measure.alone, scope)
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
  if (is === 'count' && tests.length > 0) return unitsPassing(catalogue, of, scope)
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

/** Units whose own figure passes: "wards without a school", "wards with more than 5,000 people". */
function unitsPassing(catalogue: Catalogue, { things }: Amount, scope: Scope): Ask | undefined {
  const [filter, ...more] = things.where
  if (!filter || more.length > 0 || !('units' in filter) || !('figure' in filter) || 'is' in filter) return undefined
  const by = INDEX(things.of as 'ward')
  const ofClass = classInUnits(catalogue, filter)
  if (ofClass) return askOver(INDEX('frames'), { op: 'by', by, measure: 'portion', having: ofClass.having }, { ...scope, where: [...scope.where, ofClass.condition] }) // prettier-ignore
  const { of, op } = filter.figure
  const topic = catalogue.topics.find(
    (each) =>
      (of.things === undefined ? layerOf(each) === of.subject?.of && nameOf(each) === of.subject?.name : layerOf(each) === of.things && nameOf(each) === (of.subject?.name ?? '')), // prettier-ignore
  )
  const isUsual =
    topic && (of.how === 'count' ? topic.type === 'features' : of.how === 'sum' || of.how === topic.summary)
  if (!topic || !isUsual || op || of.where || of.among || of.weight || topic.type === 'category') return undefined
  const { above, atLeast, below, atMost, equals } = filter as Bounds
  const test = testOf(defined({ above, atLeast, below, atMost, equals }) as Bounds)
  return askOver(topic.subject, { op: 'by', by, having: test }, scope)
}

/** "Wards with forest": their share of it is above 0. */
function classInUnits(catalogue: Catalogue, filter: Extract<Filter, { figure: AlgebraFigure }>) {
  const { of } = filter.figure
  const condition = of.things === undefined && of.subject === undefined && of.where && !of.among ? conditionOf(catalogue, of.where, false) : undefined // prettier-ignore
  const { above, equals } = filter as Bounds
  if (condition?.test.test !== 'class' || (String(above) !== '0' && String(equals) !== '0')) return undefined
  const having: Test = { test: 'bounds', [above === undefined ? 'atMost' : 'above']: '0' }
  return { condition, having }
}

/** "What share of wards have a school": the number of those that have one, of all. */
function shareOfUnits(catalogue: Catalogue, { of, to }: FigureFragment): Ask | undefined {
  const scope = to && of.is === 'count' && of.things.of !== 'features' && ownTests(to).length === 0 ? scopeOf(catalogue, framesOfAmount(of)) : undefined // prettier-ignore
  return scope && unitsPassing(catalogue, of, scope)
}

/** Names of frames and features, and their order. */
function namedAsk(
  catalogue: Catalogue,
  { of, order, n, having }: FigureFragment,
  { subject, scope }: Of,
): Ask | undefined {
  const { is, topic, things } = of
  if (having) return undefined
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
  const { of, to, by, toBy, having, order, n } = figure
  if (!to) return undefined
  const whole = withoutRecorded(framesOfAmount(to))
  const all = withoutRecorded(framesOfAmount(of))
  const part = scopeOf(catalogue, all.filter((filter) => !whole.some((each) => same(each, filter)))) // prettier-ignore
  const wholes = scopeOf(catalogue, whole)
  const grouping = by && groupOf(by, figure)
  if (!part || !wholes || (by && !grouping)) return undefined
  if (figure.isInterval)
    return wholes.where.length > 0
      ? undefined
      : askOver(
          subject,
          { op: 'interval', of: 'portion' },
          { where: part.where, places: [...part.places, ...wholes.places] },
        )
  if (by && grouping) {
    const isOfAll = toBy === null && all.length === whole.length
    if (!isOfAll && (toBy !== undefined || part.where.length === 0 || wholes.where.length > 0)) return undefined
    const test = having && testOf(having)
    const operation: Operation = { op: 'by', by: grouping, measure: 'portion', ...defined({ having: test, order, n }) }
    return askOver(subject, operation, { where: part.where, places: [...wholes.places, ...part.places] })
  }
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

type Measured = { alone: Operation | undefined; group?: GroupMeasure; per?: { other: Subject; times?: string } }
/** How a figure with arithmetic, or with groups, is told. */
function measureOf(figure: FigureFragment): Measured | undefined {
  const { of, op, to, times, isInterval } = figure
  if (op === undefined) {
    if (of.is === 'extent') return { alone: { op: 'extent' }, group: 'extent' }
    const isUsual = of.is === 'count' || of.is === 'land' || of.how === usualOf(of)
    if (!isUsual || of.topic?.type === 'category') return undefined
    return isInterval ? { alone: { op: 'interval' }, group: 'interval' } : { alone: { op: 'usual' } }
  }
  if (op === 'ratio' && to?.is === 'land')
    return isInterval ? { alone: { op: 'interval', of: 'per_km2' } } : { alone: { op: 'per_km2' }, group: 'per_km2' }
  const other = to && subjectOf(to)
  if (!other || isInterval) return undefined
  const per = { other, ...defined({ times }) }
  if (op === 'ratio') return other.kind === 'index' ? undefined : { alone: { op: 'per', ...per }, per }
  return op === 'change' && !figure.by ? { alone: { op: 'change', other } } : undefined
}

function groupAsk(figure: FigureFragment, { subject, scope, measure }: Of & { measure: Measured }): Ask | undefined {
  const { by, order, n, having } = figure
  const grouping = by && groupOf(by, figure)
  if (!grouping || (figure.isInterval && !measure.group) || (figure.op === 'ratio' && !measure.group && !measure.per))
    return undefined
  const test = having && testOf(having)
  return askOver(
    subject,
    { op: 'by', by: grouping, ...defined({ measure: measure.group, per: measure.per, having: test, order, n }) },
    scope,
  )
}
/** "Which wards have no school" is answered by those that pass, of all. */
function namedUnits(catalogue: Catalogue, { of }: FigureFragment, grouping: Subject): Ask | undefined {
  const filters = of.things.where
  const isOfUnits = (filter: Filter) => 'units' in filter && 'figure' in filter
  const units = filters.filter(isOfUnits)
  const scope = scopeOf(
    catalogue,
    filters.filter((filter) => !isOfUnits(filter)),
  )
  if (!scope || grouping.kind !== 'index') return undefined
  if (units.length === 0) return askOver(INDEX('frames'), { op: 'by', by: grouping }, scope)
  return unitsPassing(
    catalogue,
    { ...of, things: { of: grouping.figure as 'ward', where: [...units], among: [] } },
    scope,
  )
}

/** A level of units, or the classes of a category. */
function groupOf(by: NonNullable<FigureFragment['by']>, { of }: FigureFragment): Subject | undefined {
  if (of.things.of !== 'frames' && of.things.of !== 'features') return undefined
  if ('level' in by) return INDEX(by.level)
  if (!('class' in by) || by.class.of === undefined || by.class.name === undefined) return undefined
  return { kind: 'attribute', layerId: by.class.of, attribute: by.class.name }
}
