/** One clause of a question while it is read. */
import type { Catalogue } from './catalogue.js'
import { isCue, type CueName, type Item } from './items.js'
import type { Ask, Condition, NamedPlace } from './reading.js'
import { chosenTopics, type Topic } from './topic.js'

export type Clause = {
  catalogue: Catalogue
  items: readonly Item[]
  years: readonly number[]
  /** Items that an ask accounts for. */
  used: Set<Item>
  /** Items that no figure answers, though they are known. */
  refused: Set<Item>
  where: Condition[]
  places: NamedPlace[]
  /** A test of the units that the clause asks for: "wards without a school". */
  having: { condition: Condition; item: Item } | undefined
  asks: Ask[]
}

/** "Not urban" is negated. */
export type AskedClass = { topic: Topic; value: string; isNegated: boolean }

export const has = ({ items }: Clause, ...cues: CueName[]) => items.some((item) => isCue(item, ...cues))
export const open = ({ items, used, refused }: Clause, ...cues: CueName[]) =>
  items.filter((item) => isCue(item, ...cues) && !used.has(item) && !refused.has(item))
export const use = ({ used }: Clause, ...items: (Item | undefined)[]) => {
  for (const item of items) if (item) used.add(item)
}
export const refuse = ({ refused }: Clause, ...items: (Item | undefined)[]) => {
  for (const item of items) if (item) refused.add(item)
}

/** The topics that an item means in the years of the clause. */
export const topicsOf = ({ years }: Clause, item: Item | undefined): Topic[] =>
  item?.kind === 'topic' ? chosenTopics(item.topics, years) : []
export const topicOf = (clause: Clause, item: Item | undefined): Topic | undefined => topicsOf(clause, item)[0]

/** Topics that nothing accounts for so far. */
export const openTopics = ({ items, used, refused }: Clause) =>
  items.filter((item) => item.kind === 'topic' && !used.has(item) && !refused.has(item))

export const layerOf = (topic: Topic | undefined): string | undefined =>
  topic && 'layerId' in topic.subject ? topic.subject.layerId : undefined

/** "And", "or", a comma or "versus" stands between the two. */
export function isJoined({ items }: Clause, first: Item | undefined, second: Item | undefined): boolean {
  if (!first || !second) return false
  const between = items.slice(items.indexOf(first) + 1, items.indexOf(second) + 1)
  return second.mark !== '' || between.some((item) => item.mark !== '' || isCue(item, 'and', 'or', 'compare'))
}
