/** Chooses the topic that a name means: by year, by a name, and by what it is measured with. */
import type { Catalogue } from './catalogue.js'
import type { Subject } from './reading.js'
import type { Topic } from './topic.js'
import { plainWordsOf } from './words.js'

export const hasYear = ({ years }: Topic, year: number) =>
  years.length > 0 && year >= Math.min(...years) && year <= Math.max(...years)
const newest = ({ years }: Topic) => Math.max(0, ...years)

export const newestYear = ({ topics }: Catalogue): number => Math.max(0, ...topics.map(newest))

/** One topic for each series. A year of the question chooses among the topics of a series, else the newest is meant. */
export function chosenTopics(topics: readonly Topic[], years: readonly number[]): Topic[] {
  const series = new Map<string, Topic[]>()
  for (const topic of topics) series.set(topic.series, [...(series.get(topic.series) ?? []), topic])
  return [...series.values()].flatMap((same) => {
    const dated = same.filter((topic) => years.some((year) => hasYear(topic, year)))
    const [latest] = same.toSorted((a, b) => newest(b) - newest(a))
    return dated.length > 0 ? dated : latest ? [latest] : []
  })
}

/** Topics of one series, the oldest first. */
export const seriesOf = ({ topics }: Catalogue, { series }: Topic): Topic[] =>
  topics.filter((topic) => topic.series === series).toSorted((a, b) => newest(a) - newest(b))

/** The first topic that has this name. */
export function topicNamed({ names, stemOf }: Catalogue, name: string): Topic | undefined {
  const wanted = plainWordsOf(name).map(stemOf)
  const named = names.ofTopics.filter(
    ({ stems }) => stems.length === wanted.length && wanted.every((stem) => stems.includes(stem)),
  )
  return chosenTopics([...new Set(named.map(({ topic }) => topic))], [])[0]
}

export const topicMeasuredIn = ({ topics }: Catalogue, unit: string): Topic | undefined =>
  topics.find((topic) => topic.unit === unit)

export const sameSubject = (a: Subject, b: Subject) => JSON.stringify(a) === JSON.stringify(b)

/** These statistics need numbers to add. */
export const isAdded = ({ summary }: Topic) => summary === 'sum' || summary === 'count'
