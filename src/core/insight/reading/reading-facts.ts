/** Lists what the grammar's reading does, as planFacts does of a plan: the judge holds the words that are left to it. */
import type { Subject } from '../../figures/index.js'
import { UNIT_LEVELS } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import type { JudgedPlan, PlanElement } from './ties.js'
import { factsOfFigure } from './plan-facts.js'
import { canonical } from './plan-words.js'
import type { Ask, Operation, Reading } from './reading.js'
import { isAdded, layerOf, sameSubject, type Topic } from './topic.js'

export function readingFacts({ topics }: Catalogue, { asks }: Reading): JudgedPlan {
  const text = JSON.stringify(asks)
  const operations = asks.map(({ operation, subject }) => ({ operation, topic: topicOf(topics, subject) }))
  const does = [
    ...operations.flatMap(({ operation, topic }) => factsOfOperation(operation, topic)),
    ...[...text.matchAll(/"(above|atLeast|below|atMost|equals)":/g)].map(([, bound = '']) => `bound:${bound}`),
    ...[...text.matchAll(/"(not|any|near)":/g)].map(([, fact = '']) => fact),
    ...(/"test":"(none|not_class)"|"equals":"?0|"isExcluded":true/.test(text) ? ['not'] : []),
    ...(/"test":"any"|"above":"?0"?[,}]/.test(text) ? ['some'] : []),
    ...UNIT_LEVELS.filter((level) => text.includes(`"figure":"${level}"`)).map((level) => `level:${level}`),
    ...(asks.length > 1 ? ['several'] : []),
  ]
  return {
    does: new Set(does),
    numbers: [...text.matchAll(/:"?(\d+(?:\.\d+)?)"?[,}\]]/g)].map(([, number = '']) => canonical(number)),
    units: [],
    places: [
      ...asks.flatMap(({ places = [] }) => places.map((place) => place.text)),
      ...[...text.matchAll(/"named":\[([^\]]*)\]/g)].flatMap(([, names = '']) => JSON.parse(`[${names}]`) as string[]),
    ],
    elements: asks.map((ask) => elementOf(topics, ask)),
    harmless: [],
    count: asks.length,
  }
}

const topicOf = (topics: readonly Topic[], subject: Subject) =>
  topics.find((topic) => sameSubject(topic.subject, subject))

function elementOf(topics: readonly Topic[], ask: Ask): PlanElement {
  const text = JSON.stringify(ask)
  const own = topics.filter((topic) => text.includes(JSON.stringify(topic.subject)))
  const first = topicOf(topics, ask.subject)
  // A class of a property stands beside the features alone.
  const classed = topics.filter((topic) => own.some((each) => layerOf(each) === layerOf(topic)))
  const values = classed.flatMap((topic) =>
    topic.classes.filter((value) => text.includes(JSON.stringify(value))).map((value) => ({ topic, value })),
  )
  return { words: '', name: first?.label ?? 'Frames', topics: first ? [first, ...own] : own, values, does: [] }
}

const OF_OPERATION: Partial<Record<Operation['op'], readonly string[]>> = {
  range: ['difference', 'max', 'min'],
  frames: ['count', 'percent', 'counted:frames'],
  class: ['count', 'percent', 'counted:frames'],
  portion: ['percent'],
  per_km2: ['ratio', 'density', 'land'],
  per: ['ratio'],
  change: ['change', 'difference', 'minus'],
  names: ['each'],
  extent: ['extent'],
  rank: ['each'],
}

function factsOfOperation(operation: Operation, topic: Topic | undefined): string[] {
  if (operation.op === 'figure') return factsOfFigure(operation.figure)
  const { op } = operation
  const usual = topic === undefined ? ['count', 'sum', 'land'] : isAdded(topic) ? ['sum', 'count'] : [topic.summary]
  return [
    ...(op === 'usual' ? usual : (OF_OPERATION[op] ?? [op])),
    ...('order' in operation && operation.order ? [operation.order] : []),
    ...(op === 'max' ? ['highest'] : op === 'min' ? ['lowest'] : []),
  ]
}
