/** One part of a question while it is read. */
import type { Catalogue } from './catalogue.js'
import type { Topic } from './topic.js'
import { topicsOfMeanings, type Item } from './items.js'
import type { Ask, Condition, NamedPlace, Subject, Test } from './reading.js'
import { chosenTopics, isCue } from './topics.js'
import type { Word } from './words.js'

export type Part = {
  catalogue: Catalogue
  words: readonly Word[]
  items: readonly Item[]
  years: readonly number[]
  /** Items that are accounted for. */
  used: Set<Item>
  where: Condition[]
  /** The item of each condition: its place says which topics it is about. */
  whereItems: Map<Condition, Item>
  /** These conditions stand for places. */
  placesOf: Map<Condition, NamedPlace>
  asks: Ask[]
  unknown: Item[]
  unanswered: Item[][]
  /** Words that change what the question means, and that no ask has: its figures are no answer. */
  missed: string[]
  /** Words of classes that are no whole class. */
  classWords: Item[]
  /** Another part, or this one, has a topic that is no word for a place. */
  hasStrong: boolean
}

type PlaceItem = Extract<Item, { kind: 'place' }>

export const has = (part: Part, ...cues: Parameters<typeof isCue>[1][]) =>
  part.items.some((item) => isCue(item, ...cues))

/** The topics that an item means, in this part's years. */
export function topicsOf(part: Part, item: Item | undefined): Topic[] {
  if (item?.kind !== 'topic') return []
  const topics = chosenTopics(topicsOfMeanings(item.meanings), part.years)
  // Two datasets may record a thing under the same name: the question means both.
  if (!item.isDataset && part.years.length <= 1) return topics.filter(({ label }) => label === topics[0]?.label)
  if (!item.isDataset) return topics.slice(0, part.years.length)
  const summarised = topics.filter(({ summary }) => summary !== 'none')
  return summarised.slice(0, 3)
}
export const topicOfItem = (part: Part, item: Item | undefined): Topic | undefined => topicsOf(part, item)[0]

export const isWeak = (item: Item) => item.kind === 'topic' && item.isWeak

/** Topics of this part that nothing has accounted for. A word for a place yields to any other topic. */
export const openTopics = (part: Part) =>
  part.items.filter(
    (item) =>
      item.kind === 'topic' && !part.used.has(item) && !((part.hasStrong || part.asks.length > 0) && isWeak(item)),
  )

export function addAsk(part: Part, subject: Subject, operation: Ask['operation'], where = part.where): void {
  const ask: Ask = { subject, operation, where: [...where] }
  if (!part.asks.some((each) => JSON.stringify(each) === JSON.stringify(ask))) part.asks.push(ask)
}

/** `item` is the word of the question that selects frames. */
export function addCondition(part: Part, item: Item, { subject }: Topic, test: Test): void {
  const added: Condition = { subject, test }
  part.where.push(added)
  part.whereItems.set(added, item)
}

/** A place selects frames as a condition does. readingOf puts the place back. */
export function addPlace(part: Part, item: PlaceItem): void {
  const added: Condition = { subject: { kind: 'index', figure: 'ward' }, test: { test: 'class', value: item.text } }
  part.where.push(added)
  part.whereItems.set(added, item)
  const isExcluded = isNegated(part, item)
  part.placesOf.set(added, isExcluded ? { ...item.place, isExcluded } : item.place)
}

/** "Not urban", "not in urban areas": accounts for the negation. */
export function isNegated(part: Part, item: Item): boolean {
  const place = part.items.indexOf(item)
  const before = part.items[isCue(part.items[place - 1], 'in', 'of') ? place - 2 : place - 1]
  if (!isCue(before, 'not', 'none')) return false
  part.used.add(before)
  return true
}

export const condition = ({ subject }: Topic, test: Test): Condition => ({ subject, test })
