/** Lists the words by which questions find what a dataset has. */
import type { DatasetRow, Reader } from '../../db/index.js'
import { defined } from '../../defined.js'
import { catalogueFor } from './catalogue.js'
import type { Topic } from './topic.js'

/** `names`: each of them alone. The verbs stand beside a name. Adjectives are of high values, antonyms of low ones. */
export type TopicWords = {
  label: string
  names: string[]
  verbs?: string[]
  adjectives?: readonly string[]
  antonyms?: readonly string[]
  classNames?: string[]
}

export async function wordsOfDataset(reader: Reader, dataset: DatasetRow): Promise<TopicWords[]> {
  const { topics, names } = await catalogueFor({ reader, datasets: [dataset] }, '')
  const found = [...names.byFirst.values()].flat()
  const heads = (topic: Topic) =>
    found.flatMap(({ isHead, words, meanings }) =>
      isHead && meanings.some((each) => each.topic === topic) ? [...words] : [],
    )
  const some = <Value>(all: readonly Value[] = []) => (all.length > 0 ? [...all] : undefined)
  return topics.map((topic) => ({
    label: topic.label,
    names: [...new Set([...topic.names, ...(topic.counted ?? []), ...heads(topic)])],
    ...defined({
      verbs: some(topic.verbs),
      adjectives: some(topic.adjectives?.above),
      antonyms: some(topic.adjectives?.below),
      classNames: some(topic.classes),
    }),
  }))
}
