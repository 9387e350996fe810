/** Which topics a condition is about: "urban population and schools" asks for the schools of all frames, too. */
import type { Item } from './items.js'
import { openTopics, topicsOf, type Part } from './part.js'
import type { Condition } from './reading.js'
import { isCue, sameSubject } from './topics.js'

/** "Urban population": the topic that follows a class as the next word. */
export function qualifiedBy(part: Part, item: Item): Item | undefined {
  const next = part.items[part.items.indexOf(item) + 1]
  if (item.kind !== 'class' || next?.kind !== 'topic' || next.isWeak) return undefined
  if (next.mark !== '' || next.start !== item.end || part.used.has(next)) return undefined
  const isOwnName = topicsOf(part, next).some(({ subject }) =>
    item.meanings.some(({ topic }) => sameSubject(topic.subject, subject)),
  )
  return isOwnName ? undefined : next
}

/** `own` are the conditions of the topic's noun phrase; the sentence may mean the `inherited` ones for it as well. */
export type Scope = { own: Condition[]; inherited: Condition[] }

export const isJoined = (part: Part, item: Item) =>
  item.mark === 'weak' || isCue(part.items[part.items.indexOf(item) - 1], 'and', 'or')

/** A text with more conditions is no question of a person, and each of their combinations takes time. */
const CONDITIONS_MAX = 8

export function scopeOf(part: Part, topic: Item): Scope {
  if (part.where.length > CONDITIONS_MAX) return { own: part.where, inherited: [] }
  const scope: Scope = { own: [], inherited: [] }
  for (const each of part.where) {
    const relation = relationOf(part, part.whereItems.get(each), topic)
    if (relation !== 'none') scope[relation].push(each)
  }
  const isQualified = scope.own.some((each) => {
    const item = part.whereItems.get(each)
    return item !== undefined && qualifiedBy(part, item) === topic
  })
  return isQualified ? { own: scope.own, inherited: [] } : scope
}

function relationOf(part: Part, item: Item | undefined, topic: Item): keyof Scope | 'none' {
  if (!item) return 'own'
  const qualified = qualifiedBy(part, item)
  const isLater = part.items.indexOf(topic) > part.items.indexOf(item)
  if (qualified) return qualified === topic ? 'own' : isLater ? 'inherited' : 'none'
  // "In urban frames, people and schools" is about both, and "people and schools in urban frames" too.
  const hasOwner = isLater && part.items.indexOf(openTopics(part)[0] ?? item) < part.items.indexOf(item)
  return hasOwner && startsPhrase(part, item, topic) ? 'inherited' : 'own'
}

/** A topic after "and" or a comma starts a noun phrase, if the words of the condition are over by then. */
function startsPhrase(part: Part, item: Item, topic: Item): boolean {
  const between = part.items.slice(part.items.indexOf(item) + 1, part.items.indexOf(topic) + 1)
  return between.some((each) => each.kind === 'topic' && !part.used.has(each) && startsList(part, each))
}

/** "And the total population": words about a figure may stand between "and" and its topic. */
function startsList(part: Part, topic: Item): boolean {
  const place = part.items.indexOf(topic)
  const joint = part.items.findLastIndex(
    (each, i) => i <= place && (each.mark === 'weak' || isCue(part.items[i - 1], 'and', 'or')),
  )
  return joint !== -1 && part.items.slice(joint, place).every((each) => isCue(each, 'statistic', 'adjective', 'count'))
}
