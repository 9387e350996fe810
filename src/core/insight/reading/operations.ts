/** Builds the asks of a row of the table. Where the topic has no such figure, the nearest stands, and is said to be it. */
import { has, refuse, type AskedClass, type Clause } from './clause.js'
import { isCue, type Item } from './items.js'
import type { Ask, Condition, GroupMeasure, Operation, RatioTo, Subject } from './reading.js'
import type { Group } from './slots.js'
import type { RowOperation, Slot, TopicFigure } from './table.js'
import { canHave, isAdded, sameSubject, seriesOf, type Topic } from './topic.js'

export type Built = {
  clause: Clause
  slots: ReadonlyMap<Slot, Item[]>
  /** "Three frames", "top 5 wards". */
  number: number | undefined
  /** A ratio is to this topic. */
  other: RatioTo | undefined
  group: Group | undefined
  end: 'max' | 'min' | undefined
  where: Condition[]
}
type Wanted = Built & {
  topics: readonly Topic[]
  classes: readonly AskedClass[]
}

const index = (figure: 'frames' | 'area' | 'state' | 'lga' | 'ward'): Subject => ({ kind: 'index', figure })
const USUAL: Operation = { op: 'usual' }

export function operationOf(row: RowOperation, wanted: Wanted): Ask[] {
  const { where, group, topics, clause } = wanted
  const ask = (subject: Subject, operation: Operation): Ask => ({ subject, operation, where })
  if (isFigure(row))
    return topics.flatMap((topic) =>
      figuresOf(row, topic, wanted).map(([operation, subject = topic.subject]) => ask(subject, operation)),
    )
  switch (row) {
    case 'frames':
      if (group) return [ask(index('frames'), groupOperation(wanted, group, undefined))]
      if (where.length + clause.places.length === 0) return [ask(index('frames'), USUAL)]
      return [ask(where[0]?.subject ?? index('frames'), { op: 'frames' })]
    case 'class':
      return classAsks(wanted)
    case 'area':
      return [ask(index('area'), group ? groupOperation(wanted, group, undefined) : USUAL)]
    case 'units':
      if (!group) return []
      // "Which wards are in Marembe": each with its frames.
      if (isPlural(group.item) && has(clause, 'which') && where.length + clause.places.length > 0)
        return [ask(index('frames'), { op: 'by', by: group.by })]
      return [unitSubject(wanted, group), ...moreUnits(wanted)].map((subject) => ask(subject, USUAL))
    case 'unitsHere':
      return (['state', 'lga', 'ward'] as const).map((figure) => ask(index(figure), USUAL))
    case 'compare':
      return []
    case 'passing':
      return passingAsks(wanted)
    case 'by':
      return topics.map((topic) => ask(topic.subject, group ? groupOperation(wanted, group, topic) : USUAL))
  }
}

/** "What LGA is this" asks for the most common one, "how many wards" for their number. */
const unitSubject = ({ slots }: Wanted, { by, topic }: Group) => (topic && !slots.has('count') ? topic.subject : by)

/** "How many wards and LGAs". */
const moreUnits = ({ slots }: Wanted): Subject[] =>
  (['state', 'lga', 'ward'] as const).flatMap((figure) => (slots.has(figure) ? [index(figure)] : []))

function passingAsks({ clause: { having }, group, where }: Wanted): Ask[] {
  if (!having || !group) return []
  const { subject, test } = having.condition
  return [{ subject, operation: { op: 'by', by: group.by, having: test }, where }]
}

function classAsks({ classes, where, clause, slots }: Wanted): Ask[] {
  const [first] = classes
  const ors = clause.items.filter((item) => isCue(item, 'or'))
  // "Is it rural or urban": the most common class tells.
  const isChoice = ors.length > 0 && !slots.has('share') && !slots.has('count') && !slots.has('frames')
  if (ors.length > 0) for (const item of ors) clause.used.add(item)
  if (first && isChoice && classes.every(({ topic }) => topic === first.topic))
    return [{ subject: first.topic.subject, operation: USUAL, where }]
  return classes.flatMap(({ topic: { subject }, value, isNegated }): Ask[] => {
    const isNamed = slots.has('which') && slots.has('frames')
    const share: Ask = { subject, operation: { op: 'class', value }, where }
    const frames: Ask = {
      subject,
      operation: { op: 'frames' },
      where: [...where, { subject, test: { test: isNegated ? 'not_class' : 'class', value } }],
    }
    return isNegated ? [frames] : isNamed ? [share, frames] : [share]
  })
}

/** Without a subject, the figure is of the topic itself. */
type Figures = [operation: Operation, subject?: Subject][]

/** A topic that has no such figure has its usual one, which is no answer. */
function figuresOf(row: TopicFigure, topic: Topic, wanted: Wanted): Figures {
  const figures = isHad(row, topic, wanted) ? figureMakers[row](topic, wanted) : undefined
  if (figures) return figures
  refuseSlots(wanted, LOST[row] ?? [row as Slot])
  return [[USUAL]]
}

const refuseSlots = ({ clause, slots }: Wanted, lost: readonly Slot[]) => {
  for (const slot of lost) refuse(clause, ...(slots.get(slot) ?? []))
}

const isCategory = ({ type }: Topic) => type === 'category'
const isExtreme = (topic: Topic, wanted: Wanted) => !isCategory(topic) && !isMisused(topic, wanted)

/** A topic that has such a figure must pass this test too. */
const NEEDED: Partial<Record<TopicFigure, (topic: Topic, wanted: Wanted) => boolean>> = {
  mode: isCategory,
  mean: (topic, wanted) =>
    !isCategory(topic) && (topic.type !== 'features' || isCounted(wanted) || wanted.slots.has('per-frame')),
  max: isExtreme,
  min: isExtreme,
  per: (topic, { other }) => other !== undefined && !sameSubject(other.other, topic.subject),
  // "The share of rural people without a school" is one of rural people.
  portion: (topic, { clause: { items, where } }) =>
    isAdded(topic) &&
    (where.length < 2 || !items.some(({ kind }, i) => kind === 'topic' && items[i - 1]?.kind === 'class')),
  names: ({ type }) => type === 'features' || type === 'category',
  extent: (topic, { slots }) => canHave(topic, 'extent') && !(topic.kind === 'lines' && slots.has('size')),
}
const isHad = (row: TopicFigure, topic: Topic, wanted: Wanted) =>
  NEEDED[row]?.(topic, wanted) ?? (!OF_TOPIC.includes(row) || canHave(topic, row as Operation['op']))
const OF_TOPIC: readonly TopicFigure[] = ['median', 'rank', 'range', 'per_km2', 'part']

/** The slots that are not answered where the topic has no such figure. */
const LOST: Partial<Record<TopicFigure, Slot[]>> = {
  mean: ['mean', 'per-frame'],
  max: ['max', 'N'],
  min: ['min', 'N'],
  rank: ['rank', 'top', 'N'],
  per_km2: ['density'],
  per: ['per', 'ratio', 'head'],
  portion: ['share'],
  part: ['share', 'max', 'N'],
  extent: ['extent', 'size'],
}

const ranked = (order: 'highest' | 'lowest', n: number | undefined): Operation => ({
  op: 'rank',
  order,
  ...(n === undefined ? {} : { n }),
})
const extreme = (op: 'max' | 'min', { number, slots }: Wanted): Figures => {
  const isList = number !== undefined || (slots.has('by') && slots.has('frames'))
  return [[isList ? ranked(op === 'max' ? 'highest' : 'lowest', number) : { op }]]
}

const figureMakers: Record<TopicFigure, (topic: Topic, wanted: Wanted) => Figures | undefined> = {
  usual: () => [[USUAL]],
  sum: (topic) => [[isAdded(topic) || isCategory(topic) ? USUAL : { op: 'sum' }]],
  mode: () => [[USUAL]],
  mean: (topic) => [[isAdded(topic) ? { op: 'mean' } : USUAL]],
  median: () => [[{ op: 'median' }]],
  max: (_, wanted) => extreme('max', wanted),
  min: (_, wanted) => extreme('min', wanted),
  rank: (_, { slots, number }) => [[ranked(slots.has('min') || slots.has('bottom') ? 'lowest' : 'highest', number)]],
  // "The difference between the highest and the lowest" is one figure.
  range: (_, { slots }) =>
    /^diff/i.test(slots.get('range')?.[0]?.text ?? '')
      ? [[{ op: 'range' }]]
      : [[{ op: 'max' }], [{ op: 'min' }], [{ op: 'range' }]],
  // "The difference between two places" is none between years.
  change: (topic, { clause, slots }) =>
    clause.places.length > 1 && /^diff/i.test(slots.get('change')?.[0]?.text ?? '')
      ? [[USUAL]]
      : changeOf(clause, topic),
  // "Is it growing" is answered by the newest figure first, "by how much" by the change.
  trend: (topic, { clause }) =>
    changeOf(clause, topic)?.flatMap(([change, to]): Figures =>
      to
        ? [
            [USUAL, to],
            [change, to],
          ]
        : [],
    ),
  per_km2: () => [[{ op: 'per_km2' }]],
  per: (_, { other }) => other && [[{ op: 'per', ...other }]],
  portion: () => [[{ op: 'portion' }]],
  part: (_, { number }) => [[{ op: 'part', n: number ?? 1 }]],
  names: (topic) => [[isCategory(topic) ? USUAL : { op: 'names' }]],
  // "How many reserves, and how large are they".
  extent: (_, wanted) => [...(isCounted(wanted) ? [[USUAL] as [Operation]] : []), [{ op: 'extent' }]],
}

const isFigure = (row: RowOperation): row is TopicFigure => row in figureMakers

/** From the oldest year of a series to the newest, or between two years of the question. */
function changeOf({ catalogue, years }: Clause, topic: Topic): Figures | undefined {
  const series = seriesOf(catalogue, topic)
  const inYears = series.filter((each) => each.years.some((year) => years.includes(year)))
  const compared = inYears.length > 1 ? inYears : series
  const [from, to] = [compared[0], compared.at(-1)]
  return from && to && from !== to ? [[{ op: 'change', other: from.subject }, to.subject]] : undefined
}

const isCounted = ({ slots, clause }: Wanted) =>
  slots.has('count') || clause.items.some((item) => item.kind === 'topic' && item.isCounted)
const COUNTING = /^(most|fewest|least|maximum|minimum|max|min|top)\b/i
const singular = (word: string) => word.toLowerCase().replace(/s$/, '')

/** "The largest school" and "the tallest building" are things, and no frames with the most of them. */
function isMisused({ type, unit }: Topic, wanted: Wanted): boolean {
  const { clause, slots, end } = wanted
  const isThing =
    type === 'features' ||
    (unit !== undefined && clause.items.some((item) => item.kind === 'topic' && singular(item.text) === singular(unit)))
  return isThing && !isCounted(wanted) && !(slots.get(end ?? 'max') ?? []).every(({ text }) => COUNTING.test(text))
}

/** A plural asks for several groups: "which wards". */
const isPlural = ({ text }: Item) => /[^s]s$/i.test(text)

/** A rate is ranked by itself, and not by its total. What a group has no figure for is not answered. */
function groupOperation(wanted: Wanted, { by, item, isList, isPer }: Group, topic: Topic | undefined): Operation {
  const { slots, number, end, other } = wanted
  const isTotal = topic === undefined || isAdded(topic)
  const isClass = topic !== undefined && isCategory(topic)
  const measure = topic && !isClass ? measureOf(wanted, topic, isTotal) : undefined
  const per = other && topic && isTotal && measure === undefined ? other : undefined
  const isMisread = topic && end && measure !== 'extent' && isMisused(topic, wanted)
  refuseSlots(wanted, [
    ...(isClass ? (['max', 'min', 'mean', 'N'] as const) : (['mode'] as const)),
    ...(isTotal ? [] : (['density', 'sum'] as const)),
    // "The average number of schools per ward" is none of the frames of each.
    ...(isPer && isTotal ? (['mean'] as const) : []),
    ...(measure === 'extent' ? [] : (['extent'] as const)),
    ...(per ? [] : (['per', 'head'] as const)),
    ...(isMisread ? [end] : []),
  ])
  const base = { op: 'by', by, ...(measure ? { measure } : {}), ...(per ? { per } : {}) } as const
  const { items } = wanted.clause
  // "In how many wards are there schools".
  if (topic && isTotal && !isList && isCue(items[items.indexOf(item) - 1], 'count'))
    return { ...base, having: { test: 'any' } }
  const isRanked = end !== undefined || slots.has('top') || slots.has('bottom') || slots.has('rank')
  if (!isRanked || isClass) {
    refuseSlots(wanted, ['N'])
    return base
  }
  // "The highest elevation by state" is that of a frame of each state.
  if (isList && !isTotal && end) return { ...base, measure: end }
  const n = number ?? (slots.has('rank') || (isPlural(item) && !isList) ? undefined : 1)
  const order = end === 'min' || slots.has('bottom') ? 'lowest' : 'highest'
  return { ...base, order, ...(n === undefined ? {} : { n }) }
}

function measureOf({ slots, end }: Wanted, { kind, type }: Topic, isTotal: boolean): GroupMeasure | undefined {
  // "The longest roads" are not the most roads.
  const isLength =
    slots.has('extent') || (end && (slots.get(end) ?? []).some(({ text }) => /^(long|short)est$/i.test(text)))
  if (isLength && type === 'features' && kind !== 'points') return 'extent'
  if (!isTotal) return undefined
  return slots.has('density') ? 'per_km2' : slots.has('mean') ? 'mean' : undefined
}
