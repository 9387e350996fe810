/** Reads adjectives and distances: "steepest", "how flat", "most crowded", "far from a market". */
import type { Topic } from './topic.js'
import type { Item } from './items.js'
import type { Wanted } from './operations.js'
import { openTopics, topicOfItem, type Part } from './part.js'
import { isCue, topicNamed } from './topics.js'

export type AdjectiveMeaning = { topic: Topic | undefined; wanted: Wanted }
type AdjectiveItem = Extract<Item, { kind: 'cue'; cue: 'adjective' }>
type DistanceItem = Extract<Item, { kind: 'cue'; cue: 'distance' }>

const wantedOf = (form: string, end: 'high' | 'low', text: string): Wanted => ({
  statistic: form === 'most' ? (end === 'high' ? 'max' : 'min') : undefined,
  text,
})

/** Without a topic, the statistic is of the topics beside it: "the highest population". */
export function meaningOf(part: Part, item: AdjectiveItem): AdjectiveMeaning | undefined {
  const { names, end, form } = item.adjective
  const before = part.items[part.items.indexOf(item) - 1]
  const most = isCue(before, 'statistic') && form === 'base' ? before.statistic : undefined
  const wanted: Wanted =
    most === 'max' || most === 'min'
      ? { statistic: (most === 'max') === (end === 'high') ? 'max' : 'min', text: item.text }
      : wantedOf(form, end, item.text)
  const strong = openTopics(part).filter((each) => each.kind === 'topic' && !each.isWeak)
  const isGeneral =
    names.startsWith('elevation') ||
    item.text.toLowerCase().startsWith('dens') ||
    item.text.toLowerCase().startsWith('bus')
  const density = densityOf(part, item, strong)
  if (density) return { topic: density, wanted }
  if (strong.length > 0 && isGeneral) return { topic: undefined, wanted }
  const topics = names.split(',').flatMap((name) => topicNamed(part.catalogue, name.split(' ')) ?? [])
  const own = strong
    .map((each) => topicOfItem(part, each))
    .find((topic) => topic !== undefined && topics.includes(topic))
  if (own) return { topic: undefined, wanted }
  return topics[0] && { topic: topics[0], wanted }
}

/** "How dense are the buildings": a topic that records the density, where one does. */
function densityOf(part: Part, item: AdjectiveItem, strong: readonly Item[]): Topic | undefined {
  if (!item.text.toLowerCase().startsWith('dens')) return undefined
  for (const each of strong) {
    const topic = topicNamed(part.catalogue, ['density', each.text.toLowerCase()])
    if (topic) {
      part.used.add(each)
      return topic
    }
  }
  return undefined
}

const WAYS = ['distance', 'time', 'access', 'far', 'travel']

/** A distance needs a topic that records it: the time to market, and no other. */
export function distanceOf(part: Part, item: DistanceItem): AdjectiveMeaning | undefined {
  const place = part.items.indexOf(item)
  const target =
    part.items.slice(place + 1).find((each) => each.kind === 'topic') ??
    part.items.slice(place + 1).find((each) => each.kind === 'unknown') ??
    part.items.find((each) => each.kind === 'topic' && !part.used.has(each))
  if (!target) return undefined
  const [last] = target.text.toLowerCase().split(' ').toReversed()
  const topic = WAYS.map((way) => topicNamed(part.catalogue, [way, last ?? ''])).find((each) => each !== undefined)
  const own = topicOfItem(part, target)
  const meant =
    topic ?? (own && WAYS.some((way) => own.names.some((name) => name.toLowerCase().includes(way))) ? own : undefined)
  if (!meant) return undefined
  part.used.add(target)
  // "The nearest market" names a market; "nearest to a market" compares frames.
  const comparesFrames =
    part.items.some((each) => isCue(each, 'frames', 'which')) || isCue(part.items[place + 1], 'from')
  return {
    topic: meant,
    wanted: comparesFrames ? wantedOf(item.form, item.side, item.text) : { statistic: undefined, text: item.text },
  }
}
