/**
 * The schema of a plan, made from the catalogue: the model may name the subjects that the key may read, and for each
 * subject the operations that it has. Names of datasets stay out of the schema: a subject is "t3", a class is "t3c2".
 * The schema holds nothing of the question, so that the API compiles it once for a catalogue. It uses only what
 * structured outputs support: no lengths, no patterns, no optional fields.
 */
import type { Topic } from './topic.js'
import type { Subject } from './reading.js'
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
  'per_km2',
  'per',
  'change',
  'names',
  'extent',
] as const
export type PlanOperation = (typeof PLAN_OPERATIONS)[number]
const COMPARISONS = ['above', 'at_least', 'below', 'at_most'] as const
const TESTS = [...COMPARISONS, 'any', 'none', 'class', 'not_class'] as const

/** `n` and `number` are empty where there is none, and `other` is "none". */
export type PlannedAsk = {
  words: string
  subject: string
  operation: PlanOperation
  n: string
  other: string
  isNearest: boolean
}
export type PlannedCondition = { words: string; subject: string; test: (typeof TESTS)[number]; number: string }
export type ReadingPlan = {
  wants: 'figures' | 'profile' | 'nothing'
  asks: PlannedAsk[]
  conditions: PlannedCondition[]
  compares: boolean
  notRecorded: string[]
  notComputable: string[]
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
  const ratios: PlanOperation[] = isAdded(topic) ? ['per_km2', 'per'] : []
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

export function planSchema(choices: readonly PlanSubject[]): Record<string, unknown> {
  const text = { type: 'string' }
  const texts = { type: 'array', items: text }
  const isTrue = { type: 'boolean' }
  const classes = choices.flatMap((choice) => choice.classes.map(({ id }) => id))
  const ids = (some: readonly PlanSubject[]) => some.map(({ id }) => id)
  const askOf = (subjects: string[], operations: readonly PlanOperation[], others: string[] = []) =>
    objectSchema({
      words: text,
      subject: { enum: subjects },
      operation: { enum: operations },
      n: text,
      other: { enum: [NO_OTHER, ...others] },
      isNearest: isTrue,
    })
  const conditionOf = (subjects: string[], tests: readonly PlannedCondition['test'][]) =>
    objectSchema({ words: text, subject: { enum: subjects }, test: { enum: tests }, number: text })
  const asks = groupsByOperations(choices).map((same) => {
    const [{ operations } = { operations: [] }] = same
    const others = choices.filter((other) =>
      same.some((choice) => operations.some((operation) => canBeOther(operation, choice, other))),
    )
    return askOf(ids(same), operations, ids(others))
  })
  const measured = choices.filter(
    ({ topic }) => topic && topic.type !== 'category' && topic.subject.kind !== 'property',
  )
  const ofClasses = classes.length > 0
  return objectSchema({
    wants: { enum: ['figures', 'profile', 'nothing'] },
    asks: anyOf([...asks, ...(ofClasses ? [askOf(classes, ['class'])] : [])]),
    conditions: anyOf([
      ...(measured.length > 0 ? [conditionOf(ids(measured), [...COMPARISONS, 'any', 'none'])] : []),
      ...(ofClasses ? [conditionOf(classes, ['class', 'not_class'])] : []),
    ]),
    compares: isTrue,
    notRecorded: texts,
    notComputable: texts,
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

function groupsByOperations(choices: readonly PlanSubject[]): PlanSubject[][] {
  const groups = new Map<string, PlanSubject[]>()
  for (const choice of choices) {
    const key = choice.operations.join()
    groups.set(key, [...(groups.get(key) ?? []), choice])
  }
  return [...groups.values()]
}
