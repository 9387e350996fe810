/**
 * Makes the asks of a clause from its slots: what it names, and the phrases that say what to do with it. A row of the table
 * says which figures they ask for.
 */
import { UNIT_LEVELS, type UnitLevel } from '../../place.js'
import { type AskedClass, type Clause, type GroupAsked, has, refuse, use } from './clause.js'
import { isCue, isPlural, type Item } from './items.js'
import type { Ask, Condition, GroupMeasure, Operation } from './reading.js'
import type { Subject, Test } from '../../figures/index.js'
import { defined } from '../../defined.js'
import { rowFor, type RowOperation, type Slot } from './rows.js'
import { canHave, isAdded, sameSubject, seriesOf, type Topic } from './topic.js'

type WholeName = keyof typeof WHOLES

/** The filled slots of a clause. `n`: "three frames", "top 5 wards". */
export type Filled = {
  clause: Clause
  topics: readonly Topic[]
  classes: readonly AskedClass[]
  slots: ReadonlyMap<Slot, readonly Item[]>
  end: 'max' | 'min' | undefined
  n: number | undefined
}

/** Alone, these ask for no figure. */
const IDLE_SLOTS: readonly Slot[] = ['which', 'frames', 'profile', 'compare']

/** Gives each item of a slot its role. A topic without the figure of the row has its usual one, which is no answer. */
export function asksOf(filled: Filled): Ask[] {
  const { clause, topics, slots } = filled
  const row = rowFor(new Set(slots.keys()))
  // "Which frame has the most beds": a property has its extremes at single features.
  const isOfFeatures =
    row && /^(extreme|rank)$/.test(row.operation) && topics.some(({ subject }) => subject.kind === 'property')
  const answered = row
    ? [...row.needs, ...row.may, 'W'].filter((slot) => !(isOfFeatures && slot === 'frames'))
    : IDLE_SLOTS
  for (const [slot, items] of slots)
    if (answered.includes(slot)) use(clause, ...items)
    else refuse(clause, items)
  if (!row) return []
  const { where } = clause
  const { operation: name } = row
  if (isWhole(name))
    return WHOLES[name](filled).map(([subject, operation, more = []]): Ask => ({
      subject,
      operation,
      where: [...where, ...more],
    }))
  const figure: FigureRule = FIGURE_RULES[name]
  return topics.flatMap((topic) => {
    const figures = figure(topic, filled)
    if (!figures) refuseSlots(filled, ...row.needs.filter((slot) => !/^[TW]$|^frames$/.test(slot)), 'N')
    return (figures || [[USUAL_OPERATION]]).map(([operation, subject = topic.subject]): Ask => ({
      subject,
      operation,
      where,
    }))
  })
}

const isWhole = (name: RowOperation): name is WholeName => name in WHOLES
const refuseSlots = ({ clause, slots }: Filled, ...lost: Slot[]) => {
  for (const slot of lost) refuse(clause, slots.get(slot) ?? [])
}

const USUAL_OPERATION: Operation = { op: 'usual' }
/** Without a subject, the figure is of the topic itself. */
type ReadFigures = [operation: Operation, subject?: Subject | undefined][]
type FigureRule = (topic: Topic, filled: Filled) => ReadFigures | false | undefined

const isCategory = ({ type }: Topic) => type === 'category'
const isDifference = ({ slots }: Filled, slot: Slot) => /^diff/i.test(slots.get(slot)?.[0]?.text ?? '')
const ranked = ({ end, slots, n }: Filled): Operation => ({
  op: 'rank',
  order: end === 'min' || slots.has('bottom') ? 'lowest' : 'highest',
  ...defined({ n }),
})
const INTERVALS_OF = [['density', 'per_km2'], ['share', 'portion'], ['mean', 'mean']] as const // prettier-ignore

/** Figures of each topic. */
const FIGURE_RULES = {
  usual: () => [[USUAL_OPERATION]],
  // Frames are compared by one subject; places and several subjects by their figures.
  compare: (topic, { topics, clause }) => {
    const isOfFrames =
      topics.length === 1 &&
      clause.places.length + clause.ranges.length === 0 &&
      clause.where.length < 2 &&
      canHave(topic, 'rank')
    return [[isOfFrames ? { op: 'rank', order: 'highest' } : USUAL_OPERATION]]
  },
  // A total of averages is no figure. "The total number of people, elevation and slope" says it of the first.
  sum: (_topic, { topics }) => topics.some((each) => isAdded(each) || isCategory(each)) && [[USUAL_OPERATION]],
  // "How sure is the share of people within 5 km of a clinic".
  interval: (topic, filled) => {
    const [, of] = INTERVALS_OF.find(([slot]) => filled.slots.has(slot)) ?? []
    const isOf = of === undefined || (of === 'portion' ? hasPortion(topic, filled) : canHave(topic, of))
    return canHave(topic, 'interval') && isOf && [[{ op: 'interval', ...defined({ of }) }]]
  },
  mode: (topic) => isCategory(topic) && [[USUAL_OPERATION]],
  mean: (topic, filled) => {
    const isOfFrames = topic.type !== 'features' || asksForCount(filled) || filled.slots.has('per-frame')
    return !isCategory(topic) && isOfFrames && [[isAdded(topic) ? { op: 'mean' } : USUAL_OPERATION]]
  },
  median: (topic) => canHave(topic, 'median') && [[{ op: 'median' }]],
  extreme: (topic, filled) => {
    const isList = filled.n !== undefined || (filled.slots.has('by') && filled.slots.has('frames'))
    const isMeant = !isCategory(topic) && !isMisused(topic, filled)
    return isMeant && [[isList ? ranked(filled) : { op: filled.end ?? 'max' }]]
  },
  rank: (topic, filled) => canHave(topic, 'rank') && [[ranked(filled)]],
  // "The difference between the highest and the lowest" is one figure.
  range: (topic, filled) =>
    canHave(topic, 'range') && [
      ...(isDifference(filled, 'range') ? [] : ([[{ op: 'max' }], [{ op: 'min' }]] as ReadFigures)),
      [{ op: 'range' }],
    ],
  // "The difference between two places" is none between years.
  change: (topic, filled) => {
    const { clause, slots } = filled
    // "The share of the growth that was within 5 km of a clinic".
    if (slots.has('share') && clause.where.length > 0) refuseSlots(filled, 'share')
    return clause.places.length > 1 && isDifference(filled, 'change') ? [[USUAL_OPERATION]] : readChange(clause, topic)
  },
  // "Is it growing" is answered by the newest figure first, "by how much" by the change.
  trend: (topic, { clause }) =>
    readChange(clause, topic)?.flatMap(([change, to]): ReadFigures => [
      [USUAL_OPERATION, to],
      [change, to],
    ]),
  per_km2: (topic) => canHave(topic, 'per_km2') && [[{ op: 'per_km2' }]],
  per: (topic, { clause: { ratio } }) =>
    ratio && isAdded(topic) && !sameSubject(ratio.other, topic.subject) && [[{ op: 'per', ...ratio }]],
  portion: (topic, filled) => hasPortion(topic, filled) && [[{ op: 'portion' }]],
  names: (topic) => (isCategory(topic) ? [[USUAL_OPERATION]] : topic.type === 'features' && [[{ op: 'names' }]]),
  // "How many reserves, and how large are they". Lines have no size.
  extent: (topic, filled) =>
    canHave(topic, 'extent') &&
    !(topic.kind === 'lines' && filled.slots.has('size')) && [
      ...(asksForCount(filled) ? ([[USUAL_OPERATION]] as ReadFigures) : []),
      [{ op: 'extent' }],
    ],
} satisfies Record<string, FigureRule>

/**
 * "The share of rural people without a school" is one of rural people, "the share of Marembe's people in Lakeside" one of
 * Marembe's, and "the share of people in villages who live within 5 km of a clinic" one of those in villages: none is
 * computed. Conditions that "and" joins are of the part.
 */
const hasPortion = (topic: Topic, filled: Filled): boolean => filled.slots.has('W') && isPart(topic, filled)

function isPart(topic: Topic, { clause }: Filled): boolean {
  const { items, where, places, ranges } = clause
  const isNarrowed = items.some(
    (item, i) => item.kind === 'class' && !isPlaceOf(clause, item) && items[i + 1]?.kind === 'topic',
  )
  const inside = places.filter(({ isExcluded }) => !isExcluded)
  const isNested = inside.length > 0 && places.length > 1 && !places.some(({ isListed }) => isListed)
  const isJoined =
    ranges.length > 0 || has(clause, 'and', 'or') || items.filter((item) => isCue(item, 'without')).length > 1
  const isOfPart =
    isNested ||
    (where.length + places.length > 1 && isNarrowed) ||
    (where.length > 1 && !isJoined) ||
    liesInPlace(clause)
  return isAdded(topic) && !isOfPart
}

const isPlaceOf = ({ places }: Clause, { text }: Item) => places.some((place) => text.startsWith(place.text))
const VERB = /^(live|lives|living|is|are|lie|lies|stand|stands|located|found|situated)$/

/** "What share of the people beyond 10 km of a clinic lives in Marembe" is none of Marembe's people. */
const liesInPlace = (clause: Clause): boolean =>
  clause.items.some(
    (item, i) =>
      isCue(item, 'in') &&
      VERB.test(item.before) &&
      clause.items.slice(i + 1, i + 4).some((each) => isPlaceOf(clause, each)) &&
      clause.items.slice(0, i).some((each) => isCue(each, 'bound', 'with', 'without') || each.kind === 'class'),
  )

/** From the oldest year of a series to the newest, or between two years of the question. */
function readChange({ catalogue, years }: Clause, topic: Topic): ReadFigures | undefined {
  const series = seriesOf(catalogue, topic)
  const inYears = series.filter((each) => each.years.some((year) => years.includes(year)))
  const compared = inYears.length > 1 ? inYears : series
  const [from, to] = [compared[0], compared.at(-1)]
  return from && to && from !== to ? [[{ op: 'change', other: from.subject }, to.subject]] : undefined
}

type WholeFigure = [subject: Subject, operation: Operation, where?: Condition[]]
type Whole = (filled: Filled) => WholeFigure[]
const index = (figure: 'frames' | 'area' | UnitLevel): Subject => ({ kind: 'index', figure })
const ofIndex =
  (figure: 'frames' | 'area'): Whole =>
  (filled) => [[index(figure), filled.clause.group ? groupOperation(filled, filled.clause.group) : USUAL_OPERATION]]

/** Figures of a whole clause. */
const WHOLES = {
  by: (filled) =>
    filled.topics.map((topic) => [
      topic.subject,
      filled.clause.group ? groupOperation(filled, filled.clause.group, topic) : USUAL_OPERATION,
    ]),
  passing: ({ clause: { having, group } }) =>
    having && group ? [[having.condition.subject, { op: 'by', by: group.by, having: having.condition.test }]] : [],
  frames: (filled) => {
    const { group, where, places } = filled.clause
    // "The share of built-up frames within 1 km of a school" is one of built-up frames.
    if (where.length + places.length > 1) refuseSlots(filled, 'share')
    const isPlain = group !== undefined || where.length + places.length === 0
    return isPlain ? ofIndex('frames')(filled) : [[where[0]?.subject ?? index('frames'), { op: 'frames' }]]
  },
  among: ({ clause, slots }) => {
    const { where, ranges, whole } = clause
    const [first] = where
    if (!whole || !first) return []
    const isJoined = clause.items
      .slice(clause.items.indexOf(whole.items.at(-1) as Item))
      .some((item) => isCue(item, 'and'))
    // "What share of towns with a clinic have a school" is one of the towns with a clinic.
    if (where.length > 1 && ranges.length === 0 && !isJoined) refuse(clause, slots.get('share') ?? [])
    else use(clause, ...whole.items)
    return whole.conditions.map((conditions) => [first.subject, { op: 'frames', whole: conditions }])
  },
  class: classFigures,
  // A share is one of all frames of the unit. "Which wards have no forest": their share is 0.
  classBy: (filled) => {
    const { clause, slots, classes } = filled
    const { group, items } = clause
    if (!group) return []
    const denied = classes.filter(({ isNegated }) => isNegated)
    const isNone = denied.length > 0 && has(clause, 'without')
    // Units that have none of two classes are not computed.
    if (isNone && denied.length > 1) return refuse(clause, slots.get('C') ?? []) && []
    // "What share of wards have forest" is one of wards, "what share of each ward is forest" one of its land.
    const isOfUnits = isPlural(group.item) && !group.isList && isCue(items[items.indexOf(group.item) - 1], 'share')
    const having: Test = { test: 'bounds', [isNone ? 'atMost' : 'above']: '0' }
    const none: Operation = { op: 'by', by: group.by, measure: 'portion', having }
    const figure = slots.has('share') && has(clause, 'ground', 'size') ? 'area' : 'frames'
    const sets = setsOf(isNone ? classes.map((each) => ({ ...each, isNegated: false })) : classes)
    return sets.map((where) => [index(figure), isNone || isOfUnits ? none : groupOperation(filled, group), where])
  },
  area: ofIndex('area'),
  // "Which ward has the least electricity" asks for something that no dataset has.
  largest: (filled) => {
    const isOfOther = filled.clause.items.some(({ kind }) => kind === 'unknown')
    const isOfSize = (filled.slots.get('X') ?? []).every(({ text }) => !COUNTING.test(text))
    return isOfOther || !isOfSize ? [] : ofIndex('area')(filled)
  },
  areaShare: (filled) => [
    [index('area'), filled.clause.group ? groupOperation(filled, filled.clause.group) : { op: 'portion' }],
  ],
  units: ({ clause, slots }) => {
    const { group, where, places } = clause
    if (!group) return []
    // "Which wards are in Marembe": each with its frames.
    if (isPlural(group.item) && has(clause, 'which') && where.length + places.length > 0)
      return [[index('frames'), { op: 'by', by: group.by }]]
    // "What LGA is this" asks for the most common one, "how many wards and LGAs" for their numbers.
    const isLimited = isPlural(group.item) && where.length + places.length > 0
    if (isLimited && slots.has('names')) return [[group.by, { op: 'names' }]]
    const first = group.topic && !slots.has('count') && !isLimited ? group.topic.subject : group.by
    return [first, ...UNIT_LEVELS.filter((unit) => slots.has(unit)).map(index)].map((subject) => [
      subject,
      USUAL_OPERATION,
    ])
  },
  unitsHere: () => UNIT_LEVELS.map((unit) => [index(unit), USUAL_OPERATION]),
} satisfies Record<string, Whole>

function classFigures({ classes, clause, slots }: Filled): WholeFigure[] {
  const { items } = clause
  const [first] = classes
  // "The share of the forest that lies in N'Dara" is one of all forest.
  if (liesInPlace(clause)) refuse(clause, slots.get('share') ?? [])
  const ors = items.filter((item) => isCue(item, 'or'))
  use(clause, ...ors)
  // "Is it rural or urban": the most common class tells.
  const isChoice = ors.length > 0 && !slots.has('share') && !slots.has('count') && !slots.has('frames')
  if (first && isChoice && classes.every(({ topic }) => topic === first.topic))
    return [[first.topic.subject, USUAL_OPERATION]]
  return setsOf(classes).flatMap((where): WholeFigure[] => {
    const [own, ...others] = where
    if (!own || own.test.test !== 'class') return own ? [[own.subject, { op: 'frames' }, where]] : []
    const named: WholeFigure[] =
      slots.has('which') && slots.has('frames') ? [[own.subject, { op: 'frames' }, where]] : []
    return [[own.subject, { op: 'class', value: own.test.value }, others], ...named]
  })
}

/** "Urban or rural" are two sets of frames, "not urban or rural" is one, and so is "forest that is not urban". */
function setsOf(classes: readonly AskedClass[]): Condition[][] {
  const conditions = classes.map(({ topic: { subject }, value, isNegated }): Condition => ({
    subject,
    test: { test: isNegated ? 'not_class' : 'class', value },
  }))
  const denied = conditions.filter(({ test }) => test.test === 'not_class')
  const named = conditions.filter(({ test }) => test.test === 'class')
  const isDenied = (one: AskedClass) =>
    one.isNegated &&
    classes.some(({ topic, value, isNegated }) => !isNegated && topic === one.topic && value === one.value)
  // "Urban and non-urban frames".
  if (classes.some(isDenied)) return conditions.map((each) => [each])
  return named.length === 0 ? [denied] : named.map((each) => [each, ...denied])
}

const asksForCount = ({ slots, clause }: Filled) =>
  slots.has('count') || clause.items.some((item) => item.kind === 'topic' && item.isCounted)
const COUNTING = /^(most|fewest|least|maximum|minimum|max|min|top)\b/i
const singular = (word: string) => word.toLowerCase().replace(/s$/, '')

/** "The largest school" and "the tallest building" are things, and no frames with the most of them. */
function isMisused({ type, unit }: Topic, filled: Filled): boolean {
  const { clause, slots } = filled
  const isThing =
    type === 'features' ||
    (unit !== undefined && clause.items.some((item) => item.kind === 'topic' && singular(item.text) === singular(unit)))
  const words = slots.get('X') ?? []
  return isThing && !asksForCount(filled) && !words.every(({ text }) => COUNTING.test(text))
}

/** A rate is ranked by itself, and not by its total. What a group has no figure for is not answered. */
function groupOperation(filled: Filled, { by, item, isList }: GroupAsked, topic?: Topic): Operation {
  const { slots, n, end, clause } = filled
  const isTotal = topic === undefined || isAdded(topic)
  const isClass = topic !== undefined && isCategory(topic)
  const isLength = slots.has('extent') || (slots.get('X') ?? []).some(({ text }) => /^(long|short)est$/i.test(text))
  const isExtent = isLength && topic !== undefined && canHave(topic, 'extent')
  const measure = isClass ? undefined : isExtent ? 'extent' : measureOf(filled, topic)
  const isOwn = measure === 'extent' || measure === 'portion'
  const per = topic && isTotal && measure === undefined ? clause.ratio : undefined
  const isOfFrame = isList === true && !isTotal && end !== undefined
  const isRanked =
    !isClass &&
    !isOfFrame &&
    !clause.part &&
    (end !== undefined || slots.has('top') || slots.has('bottom') || slots.has('rank'))
  const lost: Record<string, boolean | undefined> = {
    // "The highest elevation by state" is that of a frame.
    X: isClass || isOfFrame || (topic && end && !isOwn && isMisused(topic, filled)),
    // How many land covers, or wards, each unit has.
    count: isClass,
    mean: isTotal && !per,
    N: !isRanked,
    mode: true,
    density: measure !== 'per_km2',
    sum: !isTotal,
    extent: measure !== 'extent',
    share: measure !== 'portion',
    S: measure !== 'portion',
    interval: measure !== 'interval',
    per: !per,
  }
  refuseSlots(filled, ...(Object.keys(lost).filter((slot) => lost[slot]) as Slot[]))
  const base = { op: 'by', by, ...defined({ measure, per }) } as const
  if (clause.part && measure === 'portion') return { ...base, having: clause.part.test }
  // "In how many wards are there schools".
  const before = clause.items[clause.items.indexOf(item) - 1]
  if (topic && isTotal && !isList && isCue(before, 'count')) return { ...base, having: { test: 'any' } }
  if (!isRanked) return base
  const isAll = slots.has('rank') || (isPlural(item) && !isList)
  return {
    ...base,
    order: end === 'min' || slots.has('bottom') ? 'lowest' : 'highest',
    ...defined({ n: n ?? (isAll ? undefined : 1) }),
  }
}

/** Places are no condition: the share that the frames of one unit have in each unit would be all or nothing. */
function measureOf(filled: Filled, topic: Topic | undefined): GroupMeasure | undefined {
  const { slots, clause } = filled
  const isShare =
    (slots.has('share') || slots.has('S')) &&
    (topic ? isPart(topic, filled) : clause.where.length + filled.classes.length > 0)
  if (isShare) return 'portion'
  if (topic && isAdded(topic) && slots.has('density')) return 'per_km2'
  return topic && canHave(topic, 'interval') && slots.has('interval') ? 'interval' : undefined
}
