/**
 * The schema of a plan, made from the catalogue: the model may name the subjects that the key may read, and for each
 * subject the operations that it has. Names of datasets stay out of the schema: a subject is "t3", a class is "t3c2".
 * The schema holds nothing of the question, so that the API compiles it once for a catalogue. It uses only what
 * structured outputs support: no lengths, no patterns, no optional fields.
 */
import type { Topic } from './topic.js'
import type { Reading, Subject } from './reading.js'
import { isAdded } from './topics.js'

const PLAN_OPERATIONS = [
  'usual',
  'sum',
  'mean',
  'median',
  'min',
  'max',
  'range',
  'frames',
  'class',
  'highest',
  'lowest',
  'part',
  'portion',
  'per_km2',
  'per',
  'change',
  'names',
  'extent',
] as const
export type PlanOperation = (typeof PLAN_OPERATIONS)[number]
const COMPARISONS = ['above', 'at_least', 'below', 'at_most'] as const
const TESTS = [...COMPARISONS, 'any', 'none', 'class', 'not_class'] as const
const MEASURES = ['usual', 'mean', 'per_km2', 'min', 'max'] as const
const ORDERS = ['none', 'highest', 'lowest'] as const
const HAVINGS = ['all', ...COMPARISONS, 'any', 'none'] as const

/** `places`: words of the question that name units. `isOutside`: the frames outside them are meant. */
type PlannedEntry = {
  words: string
  subject: string
  n: string
  places: string[]
  isOutside: boolean
  isNearest: boolean
}
/** `n` and `number` are empty where there is none, and `other` is "none". */
export type PlannedFigure = PlannedEntry & { operation: PlanOperation; other: string }
/** A figure of each unit or class: of all, in an order, or of those that pass a test. */
export type PlannedGroups = PlannedEntry & {
  operation: 'by'
  by: string
  measure: (typeof MEASURES)[number]
  order: (typeof ORDERS)[number]
  having: (typeof HAVINGS)[number]
  number: string
}
export type PlannedAsk = PlannedFigure | PlannedGroups
export type PlannedCondition = { words: string; subject: string; test: (typeof TESTS)[number]; number: string }
export type ReadingPlan = {
  wants: 'figures' | 'profile' | 'nothing'
  asks: PlannedAsk[]
  conditions: PlannedCondition[]
  compares: boolean
  notRecorded: string[]
  notComputable: string[]
}

/** `places`: the phrases of the question that name a state or an LGA of the index. */
export type PlanContext = {
  question: string
  choices: readonly PlanSubject[]
  reading: Reading
  places: ReadonlySet<string>
}

export const NO_OTHER = 'none'

/** A subject of the catalogue under the id that the plan uses for it. */
export type PlanSubject = {
  id: string
  subject: Subject
  name: string
  topic?: Topic
  classes: { id: string; value: string }[]
  operations: PlanOperation[]
}

/** A list of more classes than this would fill the prompt. */
const LISTED_CLASSES_MAX = 50

const INDEX_FIGURES = {
  frames: 'the number of frames',
  area: 'the area of the frames, their size',
  state: 'the states that the frames lie in',
  lga: 'the local government areas (LGAs) that the frames lie in',
  ward: 'the wards that the frames lie in',
} as const

export function choicesOf(topics: readonly Topic[]): PlanSubject[] {
  const ofIndex = Object.entries(INDEX_FIGURES).map(([figure, name]): PlanSubject => ({
    id: `index_${figure}`,
    subject: { kind: 'index', figure: figure as keyof typeof INDEX_FIGURES },
    name,
    classes: [],
    operations: ['usual'],
  }))
  const ofDatasets = topics.map((topic, place): PlanSubject => {
    const id = `t${place + 1}`
    const classes = topic.classes.length > LISTED_CLASSES_MAX ? [] : topic.classes
    return {
      id,
      subject: topic.subject,
      name: topic.label,
      topic,
      classes: classes.map((value, i) => ({ id: `${id}c${i + 1}`, value })),
      operations: operationsOf(topic, topics),
    }
  })
  return [...ofDatasets, ...ofIndex]
}

function operationsOf(topic: Topic, topics: readonly Topic[]): PlanOperation[] {
  const { subject, type, summary, kind } = topic
  const ratios: PlanOperation[] = isAdded(topic) ? ['per_km2', 'per', 'portion'] : []
  if (type === 'features') {
    const extent: PlanOperation[] = kind === 'lines' || kind === 'polygons' ? ['extent'] : []
    return ['usual', 'frames', 'highest', 'lowest', 'names', ...extent, ...ratios]
  }
  if (type === 'category' || summary === 'none') return ['usual', 'frames']
  if (subject.kind === 'property') return ['usual', 'mean', 'min', 'max']
  const added: PlanOperation[] = isAdded(topic) ? ['sum', 'part'] : []
  const change: PlanOperation[] = topics.some((other) => isEarlier(other, topic)) ? ['change'] : []
  return [
    'usual',
    'frames',
    'mean',
    'median',
    'min',
    'max',
    'range',
    'highest',
    'lowest',
    ...added,
    ...ratios,
    ...change,
  ]
}

/** A change is between two topics that differ in the year alone. */
const isEarlier = (other: Topic, topic: Topic) => other !== topic && other.series === topic.series

/** The subjects that may stand as `other`: of a ratio or of a change. */
export const canBeOther = (operation: PlanOperation, { topic }: PlanSubject, other: PlanSubject): boolean => {
  if (!topic || !other.topic || topic === other.topic) return false
  return operation === 'change' ? isEarlier(other.topic, topic) : operation === 'per' && isAdded(other.topic)
}

/** Groups are the units of the index, or the classes of a category. */
export const canGroup = ({ subject, topic }: PlanSubject): boolean =>
  subject.kind === 'index'
    ? subject.figure === 'state' || subject.figure === 'lga' || subject.figure === 'ward'
    : topic?.type === 'category' && topic.summary === 'mode' && subject.kind === 'attribute'

/** The figures that each group may have of a subject. */
function measuresOf({ subject, topic }: PlanSubject): PlannedGroups['measure'][] {
  if (!topic) return subject.kind === 'index' && ['frames', 'area'].includes(subject.figure) ? ['usual'] : []
  const { type, summary } = topic
  if (subject.kind === 'property') return isAdded(topic) ? ['usual'] : []
  if (type === 'category') return summary === 'mode' ? ['usual'] : []
  if (summary === 'none' || summary === 'mode') return []
  return isAdded(topic) ? ['usual', 'mean', 'per_km2'] : ['usual', 'min', 'max']
}

const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: TEXT }
const TRUE_OR_FALSE = { type: 'boolean' }
const idsOf = (some: readonly PlanSubject[]) => some.map(({ id }) => id)

const entrySchema = (properties: Record<string, unknown>) =>
  objectSchema({
    words: TEXT,
    ...properties,
    n: TEXT,
    places: TEXTS,
    isOutside: TRUE_OR_FALSE,
    isNearest: TRUE_OR_FALSE,
  })

/** A category has a most common class in each group: no order and no test. */
function groupsSchemas(choices: readonly PlanSubject[]): Record<string, unknown>[] {
  const groups = choices.filter(canGroup)
  const isCategory = ({ topic }: PlanSubject) => topic?.type === 'category'
  const keyOf = (choice: PlanSubject) => [...measuresOf(choice), isCategory(choice)].join()
  const grouped = groupsOf(
    choices.filter((choice) => measuresOf(choice).length > 0),
    keyOf,
  )
  return grouped.map((same) =>
    entrySchema({
      subject: { enum: idsOf(same) },
      operation: { enum: ['by'] },
      by: { enum: idsOf(groups) },
      measure: { enum: same.slice(0, 1).flatMap(measuresOf) },
      order: { enum: same.some(isCategory) ? ['none'] : ORDERS },
      having: { enum: same.some(isCategory) ? ['all'] : HAVINGS },
      number: TEXT,
    }),
  )
}

export function planSchema(choices: readonly PlanSubject[]): Record<string, unknown> {
  const classes = choices.flatMap((choice) => choice.classes.map(({ id }) => id))
  const askOf = (subjects: string[], operations: readonly PlanOperation[], others: string[] = []) =>
    entrySchema({
      subject: { enum: subjects },
      operation: { enum: operations },
      other: { enum: [NO_OTHER, ...others] },
    })
  const conditionOf = (subjects: string[], tests: readonly PlannedCondition['test'][]) =>
    objectSchema({ words: TEXT, subject: { enum: subjects }, test: { enum: tests }, number: TEXT })
  const asks = groupsOf(choices, ({ operations }) => operations.join()).map((same) => {
    const [{ operations } = { operations: [] }] = same
    const others = choices.filter((other) =>
      same.some((choice) => operations.some((operation) => canBeOther(operation, choice, other))),
    )
    return askOf(idsOf(same), operations, idsOf(others))
  })
  const measured = choices.filter(
    ({ topic }) => topic && topic.type !== 'category' && topic.subject.kind !== 'property',
  )
  const ofClasses = classes.length > 0
  return objectSchema({
    wants: { enum: ['figures', 'profile', 'nothing'] },
    asks: anyOf([...asks, ...(ofClasses ? [askOf(classes, ['class'])] : []), ...groupsSchemas(choices)]),
    conditions: anyOf([
      ...(measured.length > 0 ? [conditionOf(idsOf(measured), [...COMPARISONS, 'any', 'none'])] : []),
      ...(ofClasses ? [conditionOf(classes, ['class', 'not_class'])] : []),
    ]),
    compares: TRUE_OR_FALSE,
    notRecorded: TEXTS,
    notComputable: TEXTS,
  })
}

const anyOf = (variants: Record<string, unknown>[]) =>
  variants.length > 0 ? { type: 'array', items: { anyOf: variants } } : { type: 'array', items: { enum: [NO_OTHER] } }

const objectSchema = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

function groupsOf(choices: readonly PlanSubject[], keyOf: (choice: PlanSubject) => string): PlanSubject[][] {
  const groups = new Map<string, PlanSubject[]>()
  for (const choice of choices) groups.set(keyOf(choice), [...(groups.get(keyOf(choice)) ?? []), choice])
  return [...groups.values()]
}
