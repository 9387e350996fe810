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
  /** The readings of suggested questions, as far as they were read. */
  suggestions: Map<string, Reading | undefined>
}

type Names = {
  topics: Topic[]
  stems: ReadonlyMap<string, string>
  names: NameIndex
  suggestions: Suggestions
}
/**
 * The questions that this service suggests are few and always the same, so each is read once. Reading them anew takes half
 * of the time of an answer.
 */
type Suggestions = { readings: Map<string, Reading | undefined>; stems: Map<string, string>; places: Set<string> }
/** Keeps the names of datasets by their versions: each import has a new one. */
export type CatalogueCache = Map<string, Names>
const CACHED_MAX = 20
/** Labels may be of any number; past this one, the readings start anew. */
const READINGS_MAX = 2000

type CatalogueScope = { reader: Reader; datasets: readonly DatasetRow[]; cache?: CatalogueCache | undefined }

/** Knows the stems of the question's words and of the words of the suggestions. */
export async function catalogueFor(
  { reader, datasets, cache = new Map() }: CatalogueScope,
  question: string,
  suggested: readonly string[] = [],
): Promise<Catalogue> {
  const names = await namesOf(reader, datasets, cache)
  const { readings } = names.suggestions
  if (readings.size > READINGS_MAX) readings.clear()
  const added = suggested.filter((text) => !readings.has(text))
  const texts = [question, ...added].map(plainWordsOf)
  const words = [...new Set(texts.flat())]
  const phrases = [...new Set(texts.flatMap(phrasesOf))].slice(0, PHRASES_MAX)
  const [own] = words.length === 0 ? [] : await wordsOfQuestion(reader, words, phrases)
  const found = { stems: new Map(Object.entries(own?.stems ?? {})), places: own?.places ?? [] }
  addSuggestions(names.suggestions, added, found)
  return catalogueOf(names, found)
}

type OwnWords = { stems: ReadonlyMap<string, string>; places: readonly string[] }

function addSuggestions(suggestions: Suggestions, added: readonly string[], { stems, places }: OwnWords): void {
  const words = added.flatMap(plainWordsOf)
  for (const word of words) suggestions.stems.set(word, stems.get(word) ?? word)
  const text = ` ${words.join(' ')} `
  for (const place of places) if (text.includes(` ${place} `)) suggestions.places.add(place)
  for (const question of added) suggestions.readings.set(question, undefined)
}

function catalogueOf({ topics, stems, names, suggestions }: Names, own: OwnWords): Catalogue {
  return {
    topics,
    names,
    stemOf: (word) => own.stems.get(word) ?? suggestions.stems.get(word) ?? stems.get(word) ?? word,
    places: new Set([...own.places, ...suggestions.places]),
    suggestions: suggestions.readings,
  }
}

async function namesOf(reader: Reader, datasets: readonly DatasetRow[], cache: CatalogueCache): Promise<Names> {
  const key = datasets.map(({ layerId, version }) => `${layerId} ${version}`).join()
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

function namesFrom(rows: readonly CatalogueRow[], datasets: readonly DatasetRow[]): Names {
  const topics = rows.flatMap((row) => {
    const dataset = datasets[row.layer - 1]
    return dataset ? [topicOf(row, dataset)] : []
  })
  const stems = new Map(Object.entries(rows[0]?.stems ?? {}))
  const suggestions = { readings: new Map(), stems: new Map(), places: new Set<string>() }
  return { topics, stems, names: nameIndex(topics, stems), suggestions }
}

const PHRASE_WORDS_MAX = 4
const PHRASES_MAX = 400

const phrasesOf = (words: readonly string[]): string[] =>
  words.flatMap((_, start) =>
    Array.from({ length: PHRASE_WORDS_MAX }, (__, i) => words.slice(start, start + i + 1).join(' ')),
  )

const YEAR_IN_LABEL = /\b(?:19|20)\d\d\b/g
const yearsIn = (text: string) => [...new Set([...text.matchAll(YEAR_IN_LABEL)].map(([year]) => Number(year)))]

function topicOf(row: CatalogueRow, { layerId, kind, vintage }: DatasetRow): Topic {
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
  }
}

function subjectOf({ attribute, property }: CatalogueRow, layerId: string): Subject {
  if (attribute !== null) return { kind: 'attribute', layerId, attribute }
  return property === null ? { kind: 'features', layerId } : { kind: 'property', layerId, property }
}
