/** Reads what a figure is divided by, and the groups that it is made of: "per household", "by ward", "which ward has". */
import { has, openTopics, refuse, topicOf, use, type Clause } from './clause.js'
import { isCue, isUnit, type Item } from './items.js'
import type { Group } from './operations.js'
import type { Extremes } from './adjectives.js'
import type { RatioTo } from './reading.js'
import { isAdded } from './topic.js'
import { topicNamed } from './names.js'

/** "Shops per household", "per capita", "the ratio of shops to households". */
export function readRatio(clause: Clause): RatioTo | undefined {
  const { items, catalogue } = clause
  const per = items.findIndex((item, i) => isCue(item, 'per') && !isUnit(items[i + 1]))
  if (per !== -1) {
    const number = items[per + 1]?.kind === 'number' ? items[per + 1] : undefined
    const item = items[number ? per + 2 : per + 1]
    const other = topicOf(clause, item)
    if (!other || !isAdded(other)) {
      refuse(clause, items[per], number, item)
      return undefined
    }
    use(clause, item, number)
    const isMany = number?.kind === 'number' && Number(number.number) > 1
    return { other: other.subject, ...(isMany ? { times: number.number } : {}) }
  }
  const other = has(clause, 'ratio') ? openTopics(clause)[1] : undefined
  use(clause, other)
  const topic = has(clause, 'head') ? topicNamed(catalogue, 'population') : topicOf(clause, other)
  return topic && { other: topic.subject }
}

const UNIT_SUBJECTS = ['state', 'lga', 'ward'] as const

/** A unit of the index, or a category of the catalogue: its classes are groups. */
function groupAt(clause: Clause, item: Item | undefined): Group | undefined {
  if (isUnit(item)) {
    const figure = UNIT_SUBJECTS.find((unit) => isCue(item, unit))
    if (figure) return { by: { kind: 'index', figure }, item, topic: item.topics[0] }
    const own = item.topics.find(({ label }) => label.toLowerCase() === item.text.toLowerCase())
    return own && { by: own.subject, item, topic: own }
  }
  const topic = topicOf(clause, item)
  const isGroup = topic?.type === 'category' && topic.summary === 'mode' && topic.subject.kind === 'attribute'
  return item && isGroup ? { by: topic.subject, item, topic } : undefined
}

/** "By ward", "in each state", "per LGA", "by settlement class". */
export function readList(clause: Clause): Group | undefined {
  const { items } = clause
  for (const [i, item] of items.entries()) {
    if (!isCue(item, 'by', 'each', 'per')) continue
    const group = groupAt(clause, items[i + 1])
    if (group) {
      use(clause, group.item, item)
      return { ...group, isList: true, isPer: isCue(item, 'per') }
    }
    if (isUnit(items[i + 1])) refuse(clause, item, items[i + 1])
  }
  return undefined
}

/** "Which ward has the most people", "top 3 states", "which settlement class has the most people". */
export function readChosen(clause: Clause, { end }: Extremes): Group | undefined {
  const { items, having } = clause
  if (having) {
    use(clause, having.item)
    return groupAt(clause, having.item)
  }
  for (const [i, item] of items.entries()) {
    if (clause.used.has(item) || clause.refused.has(item)) continue
    const isChosen =
      isUnit(item) || (end !== undefined && isCue(items[i - 1], 'which') && openTopics(clause).length > 1)
    const group = isChosen ? groupAt(clause, item) : undefined
    if (group) {
      use(clause, item)
      return group
    }
    if (isUnit(item) && (item.topics.length === 0 || openTopics(clause).length > 0))
      refuse(clause, isCue(items[i - 1], 'which') ? items[i - 1] : undefined, item)
  }
  return undefined
}
