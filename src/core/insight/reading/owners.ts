/** Reads a dataset that stands beside a property of its features. */
import { has, layerOf, open, openTopics, topicOf, use, type Clause } from './clause.js'
import { isCue, type Item } from './items.js'

/**
 * "How many beds do the clinics have" and "which clinic has the most beds" ask for beds alone, and so does "the biggest
 * clinic by beds". "Top 3 schools by pupils" puts schools in order.
 */
export function readOwners(clause: Clause): void {
  if (has(clause, 'rank', 'top', 'bottom')) return
  const topics = openTopics(clause)
  for (const item of topics) {
    const layer = topicOf(clause, item)?.type === 'features' ? layerOf(topicOf(clause, item)) : undefined
    const owned = topics.find(
      (each) => topicOf(clause, each)?.subject.kind === 'property' && layerOf(topicOf(clause, each)) === layer,
    )
    if (layer === undefined || !owned) continue
    const [first, second] = topics.indexOf(item) < topics.indexOf(owned) ? [item, owned] : [owned, item]
    if (!isJoined(clause, first, second) && isPutInOrder(clause, item, owned)) use(clause, item)
  }
}

/** True without an order, and where the order is that of the property. Accounts for "by". */
function isPutInOrder(clause: Clause, owner: Item, owned: Item): boolean {
  const { items } = clause
  const [extreme, ...more] = open(clause, 'max', 'min')
  const by = open(clause, 'by')
  if (!extreme) return by.length === 0
  if (more.length > 0) return false
  const before = items.slice(0, items.indexOf(owned)).findLast((item) => !isCue(item, 'amount'))
  if (by.length === 0) return before === extreme
  if (before !== by[0] || items[items.indexOf(owner) - 1] !== extreme) return false
  use(clause, before)
  return true
}

/** "And", "or", a comma or "versus" stands between the two. */
export function isJoined({ items }: Clause, first: Item | undefined, second: Item | undefined): boolean {
  if (!first || !second) return false
  const between = items.slice(items.indexOf(first) + 1, items.indexOf(second) + 1)
  return second.mark !== '' || between.some((item) => item.mark !== '' || isCue(item, 'and', 'or', 'compare'))
}
