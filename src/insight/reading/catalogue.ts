/** The catalogue as the reading of questions uses it: topics with their names and classes, and the stems of words. */
import type { Reader } from '../../db/replicas/reader.js'
import { catalogueOfDatasets, wordsOfQuestion, type CatalogueRow, type DatasetRow } from '../../db/statements.js'
import { nameIndex, type NameIndex } from './names.js'
import type { Subject } from './reading.js'
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
}

type Names = { topics: Topic[]; stems: ReadonlyMap<string, string>; names: NameIndex }
/** Keeps the names of datasets by their versions: each import has a new one. */
export type CatalogueCache = Map<string, Names>
const CACHED_MAX = 20

export async function readCatalogue(
  reader: Reader,
  datasets: readonly DatasetRow[],
  question: string,
  cache: CatalogueCache = new Map(),
): Promise<Catalogue> {
  const words = plainWordsOf(question)
  const [found, rows] = await Promise.all([
    namesOf(reader, datasets, cache),
    wordsOfQuestion(reader, [...new Set(words)], phrasesOf(words)),
  ])
  const [own] = rows
  return catalogueOf(found, { stems: own?.stems ?? {}, places: own?.places ?? [] })
}

function catalogueOf(
  { topics, stems, names }: Names,
  own: { stems: Record<string, string>; places: readonly string[] },
): Catalogue {
  const ownStems = new Map(Object.entries(own.stems))
  return { topics, names, stemOf: (word) => ownStems.get(word) ?? stems.get(word) ?? word, places: new Set(own.places) }
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
  return { topics, stems, names: nameIndex(topics, stems) }
}

const PHRASE_WORDS_MAX = 4
const PHRASES_MAX = 400

const phrasesOf = (words: readonly string[]): string[] =>
  words
    .flatMap((_, start) =>
      Array.from({ length: PHRASE_WORDS_MAX }, (__, i) => words.slice(start, start + i + 1).join(' ')),
    )
    .slice(0, PHRASES_MAX)

const YEAR = /\b(?:19|20)\d\d\b/g
const yearsIn = (text: string) => [...new Set([...text.matchAll(YEAR)].map(([year]) => Number(year)))]

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
    series: `${layerId} ${row.property ?? ''} ${fold(row.label).replace(YEAR, '')}`,
    classes: row.classes,
  }
}

function subjectOf({ attribute, property }: CatalogueRow, layerId: string): Subject {
  if (attribute !== null) return { kind: 'attribute', layerId, attribute }
  return property === null ? { kind: 'features', layerId } : { kind: 'property', layerId, property }
}
