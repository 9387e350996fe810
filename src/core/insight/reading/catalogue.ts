/** The catalogue as the reading of questions uses it: topics with their names and classes, and the stems of words. */
import type { Reader } from '../../db/replicas/reader.js'
import { catalogueOfDatasets, wordsOfQuestion, type CatalogueRow, type DatasetRow } from '../../db/statements.js'
import { nameIndex, type NameIndex } from './names.js'
import type { Reading, Subject } from './reading.js'
import type { Topic } from './topic.js'
import { fold, plainWordsOf } from './words.js'

/** Topics are in the order of the datasets. */
export type Catalogue = {
  topics: readonly Topic[]
  names: NameIndex
  /** The stem of a word of the question or of a name. */
  stemOf: (word: string) => string
  /** Phrases of the question that name a state or an LGA: folded. */
  places: ReadonlySet<string>
  /** The readings of questions that this service suggests: they are few and always the same, so each is read once. */
  suggestions: Map<string, Reading>
}

type TopicNames = Omit<Catalogue, 'stemOf' | 'places'> & { stems: ReadonlyMap<string, string> }
/** Keeps the names of datasets by their versions, of which each import has a new one, and by whether they cost the caller. */
export type CatalogueCache = Map<string, TopicNames>
const CACHED_MAX = 20
/** Labels may be of any number; past this one, the readings start anew. */
const READINGS_MAX = 2000

type CatalogueScope = { reader: Reader; datasets: readonly DatasetRow[]; cache?: CatalogueCache | undefined }

/** Knows the stems of the question's words. */
export async function catalogueFor(
  { reader, datasets, cache = new Map() }: CatalogueScope,
  question: string,
): Promise<Catalogue> {
  const { stems, ...names } = await namesOf(reader, datasets, cache)
  if (names.suggestions.size > READINGS_MAX) names.suggestions.clear()
  const words = plainWordsOf(question)
  const phrases = [...new Set(startsOf(words))].slice(0, PHRASES_MAX)
  const [own] = words.length === 0 ? [] : await wordsOfQuestion(reader, [...new Set(words)], phrases)
  const found = new Map(Object.entries(own?.stems ?? {}))
  return { ...names, stemOf: (word) => found.get(word) ?? stems.get(word) ?? word, places: new Set(own?.places) }
}

async function namesOf(reader: Reader, datasets: readonly DatasetRow[], cache: CatalogueCache): Promise<TopicNames> {
  const key = datasets.map(({ layerId, version, price }) => `${layerId} ${version} ${price === null}`).join()
  const cached = cache.get(key)
  if (cached) return cached
  const names = namesFrom(
    await catalogueOfDatasets(
      reader,
      datasets.map(({ layerId }) => layerId),
    ),
    datasets,
  )
  const [oldest] = cache.keys()
  if (cache.size >= CACHED_MAX && oldest !== undefined) cache.delete(oldest)
  cache.set(key, names)
  return names
}

function namesFrom(rows: readonly CatalogueRow[], datasets: readonly DatasetRow[]): TopicNames {
  const topics = rows.flatMap((row) => {
    const dataset = datasets[row.layer - 1]
    return dataset ? [topicOfRow(row, dataset)] : []
  })
  const stems = new Map(Object.entries(rows[0]?.stems ?? {}))
  return { topics, stems, names: nameIndex(topics, stems), suggestions: new Map() }
}

const PHRASE_WORDS_MAX = 4
const PHRASES_MAX = 400

const startsOf = (words: readonly string[]): string[] =>
  words.flatMap((_, start) =>
    Array.from({ length: PHRASE_WORDS_MAX }, (__, i) => words.slice(start, start + i + 1).join(' ')),
  )

const YEAR_IN_LABEL = /\b(?:19|20)\d\d\b/g
const yearsIn = (text: string) => [...new Set([...text.matchAll(YEAR_IN_LABEL)].map(([year]) => Number(year)))]

function topicOfRow(row: CatalogueRow, { layerId, kind, vintage, price }: DatasetRow): Topic {
  const labelled = [yearsIn(row.label), yearsIn(row.synonyms.join(' ')), yearsIn(vintage ?? '')]
  return {
    subject: subjectOf(row, layerId),
    label: row.label,
    names: [row.label, ...row.synonyms],
    datasetNames: row.type === 'features' || row.property !== null ? [] : row.datasetNames,
    type: row.type,
    summary: row.summary,
    unit: row.unit ?? undefined,
    kind,
    years: labelled.find((years) => years.length > 0) ?? [],
    series: `${layerId} ${row.property ?? ''} ${fold(row.label).replace(YEAR_IN_LABEL, '')}`,
    classes: row.classes,
    ...(price !== null && { isPaid: true }),
  }
}

function subjectOf({ attribute, property }: CatalogueRow, layerId: string): Subject {
  if (attribute !== null) return { kind: 'attribute', layerId, attribute }
  return property === null ? { kind: 'features', layerId } : { kind: 'property', layerId, property }
}
