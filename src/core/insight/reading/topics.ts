/** Chooses the topic that a name means: by year, by the names of adjectives, by units, and by what it is measured with. */
import type { Catalogue } from './catalogue.js'
import type { Topic } from './topic.js'
import type { Item } from './items.js'
import type { Subject } from './reading.js'

export const isCue = <Name extends Extract<Item, { kind: 'cue' }>['cue']>(
  item: Item | undefined,
  ...cues: Name[]
): item is Extract<Item, { kind: 'cue'; cue: Name }> => item?.kind === 'cue' && (cues as string[]).includes(item.cue)

const covers = ({ years }: Topic, year: number) =>
  years.length > 0 && year >= Math.min(...years) && year <= Math.max(...years)
const newest = ({ years }: Topic) => Math.max(0, ...years)

/** One topic for each series. A year of the question chooses among the topics of a series, else the newest is meant. */
export function chosenTopics(topics: readonly Topic[], years: readonly number[]): Topic[] {
  const series = new Map<string, Topic[]>()
  for (const topic of topics) series.set(topic.series, [...(series.get(topic.series) ?? []), topic])
  return [...series.values()].flatMap((same) => {
    const dated = same.filter((topic) => years.some((year) => covers(topic, year)))
    const [latest] = same.toSorted((a, b) => newest(b) - newest(a))
    return dated.length > 0 ? dated : latest ? [latest] : []
  })
}

/** Topics of one series, the oldest first. */
export const seriesOf = ({ topics }: Catalogue, { series }: Topic): Topic[] =>
  topics.filter((topic) => topic.series === series).toSorted((a, b) => newest(a) - newest(b))

export const hasYear = (topic: Topic, year: number) => covers(topic, year)

export const newestYear = ({ topics }: Catalogue): number => Math.max(0, ...topics.map(newest))

/** The first topic one of whose names has all of these words, in any order. */
export function topicNamed({ names, stemOf }: Catalogue, words: readonly string[]): Topic | undefined {
  const wanted = words.map(stemOf)
  const named = names.ofTopics.filter(({ stems }) => wanted.every((stem) => stems.has(stem)))
  const exact = named.filter(({ length }) => length === words.length)
  const topics = (exact.length > 0 ? exact : named).map(({ topic }) => topic)
  return chosenTopics([...new Set(topics)], [])[0]
}

export const topicMeasuredIn = ({ topics }: Catalogue, unit: string): Topic | undefined =>
  topics.find((topic) => topic.unit === unit)

export const sameSubject = (a: Subject, b: Subject) => JSON.stringify(a) === JSON.stringify(b)

/** These statistics need numbers to add. */
export const isAdded = ({ summary }: Topic) => summary === 'sum' || summary === 'count'
