/** The catalogue as the reading of questions uses it: topics with their names and classes, and the stems of words. */
import type { CatalogueRow, DatasetRow, Reader } from '../../db/index.js'
import { catalogueOfDatasets, indexGeneration, unitNames, wordsOfQuestion } from '../../db/statements.js'
import { nameIndex, type NameIndex, type UnitMeanings } from './names.js'
import type { Reading } from './reading.js'
import type { Subject } from '../../figures/index.js'
import type { Topic } from './topic.js'
import { type UnitNames, unitNamesOf, unitsNamed } from './unit-names.js'
import { fold, plainWordsOf } from './words.js'

/** Topics are in the order of the datasets. */
export type Catalogue = {
  topics: readonly Topic[]
  names: NameIndex
  /** The stem of a word of the question or of a name. */
  stemOf: (word: string) => string
  /** Phrases of the question that name units of the index: folded. */
  units: UnitMeanings
  /** The readings of questions that this service suggests: they are few and always the same, so each is read once. */
  suggestions: Map<string, Reading>
}

type TopicNames = Omit<Catalogue, 'stemOf' | 'units'> & { stems: ReadonlyMap<string, string> }
/**
 * Keeps the names of datasets by their versions and by whether they cost the caller, and those of units by the
 * generation of the index: each import has a new one.
 */
export type CatalogueCache = {
  topics: Map<string, TopicNames>
  units: { generation: string; names: UnitNames } | undefined
}
export const emptyCatalogues = (): CatalogueCache => ({ topics: new Map(), units: undefined })
const CACHED_MAX = 20
/** Labels may be of any number; past this one, the readings start anew. */
const READINGS_MAX = 2000

type CatalogueScope = { reader: Reader; datasets: readonly DatasetRow[]; cache?: CatalogueCache | undefined }

/** Knows the stems of the question's words. */
export async function catalogueFor(
  { reader, datasets, cache = emptyCatalogues() }: CatalogueScope,
  question: string,
): Promise<Catalogue> {
  const words = plainWordsOf(question)
  const [{ stems, ...names }, [own], units] = await Promise.all([
    namesOf(reader, datasets, cache.topics),
    words.length === 0 ? [] : wordsOfQuestion(reader, [...new Set(words)]),
    words.length === 0 ? new Map() : unitsOf(reader, cache, words),
  ])
  if (names.suggestions.size > READINGS_MAX) names.suggestions.clear()
  const found = new Map(Object.entries(own?.stems ?? {}))
  return {
    ...names,
    stemOf: (word) => found.get(word) ?? stems.get(word) ?? word,
    units,
  }
}

/** The largest index has 9,620 units: they are read once for each generation. */
async function unitsOf(reader: Reader, cache: CatalogueCache, words: readonly string[]): Promise<UnitMeanings> {
  const generation = JSON.stringify(await indexGeneration(reader))
  if (cache.units?.generation !== generation) cache.units = { generation, names: unitNamesOf(await unitNames(reader)) }
  return unitsNamed(cache.units.names, words)
}

async function namesOf(
  reader: Reader,
  datasets: readonly DatasetRow[],
  cache: CatalogueCache['topics'],
): Promise<TopicNames> {
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

const YEAR_IN_LABEL = /\b(?:19|20)\d\d\b/g
const yearsIn = (text: string) => [...new Set([...text.matchAll(YEAR_IN_LABEL)].map(([year]) => Number(year)))]

function topicOfRow(row: CatalogueRow, { layerId, kind, vintage, price }: DatasetRow): Topic {
  const labelled = [yearsIn(row.label), yearsIn(row.synonyms.join(' ')), yearsIn(vintage ?? '')]
  return {
    subject: subjectOf(row, layerId),
    label: row.label,
    names: [row.label, ...row.synonyms],
    counted: row.counted,
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
