/** The catalogue as the reading of questions uses it: topics with their names and classes, and the stems of words. */
import type { CatalogueRow, DatasetRow, Reader } from '../../db/index.js'
import { catalogueOfDatasets, indexGeneration, unitNames, wordsOfQuestion } from '../../db/statements.js'
import { type Cues, cuesOfPlaces } from './cues.js'
import { isKnownWord, nameIndex, type NameIndex, type UnitMeanings } from './names.js'
import type { Reading } from './reading.js'
import { isYearOf, type Subject } from '../../figures/index.js'
import { withoutYears, yearsIn } from '../../numbers/index.js'
import type { PlaceWord } from '../../place.js'
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
  /** All names of units. */
  allUnits: UnitMeanings
  /** Words of the question that are misspelled words of such names. */
  slips?: ReadonlyMap<string, string>
  /** The words of the setting PLACE_WORDS, which name the country and the levels of its units. */
  placeCues: Cues
  /** So many units are in the index. */
  unitCounts?: UnitNames['counts']
  /** The readings of questions that this service suggests: they are few and always the same, so each is read once. */
  suggestions: Map<string, Reading>
}

type TopicNames = Omit<Catalogue, 'stemOf' | 'units' | 'allUnits' | 'slips' | 'unitCounts' | 'placeCues'> & {
  stems: ReadonlyMap<string, string>
}
/**
 * Keeps the names of datasets by their versions and by whether they cost the caller, and those of units by the
 * generation of the index: each import has a new one.
 */
export type CatalogueCache = {
  topics: Map<string, TopicNames>
  units: { generation: string; names: UnitNames } | undefined
  placeCues: Cues
}
export const emptyCatalogues = (placeWords: readonly PlaceWord[] = []): CatalogueCache => ({
  topics: new Map(),
  units: undefined,
  placeCues: cuesOfPlaces(placeWords),
})
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
  const [{ stems, ...names }, [own], ofIndex] = await Promise.all([
    namesOf(reader, datasets, cache.topics),
    words.length === 0 ? [] : wordsOfQuestion(reader, [...new Set(words)]),
    words.length === 0 ? NO_UNITS : unitsOf(reader, cache),
  ])
  if (names.suggestions.size > READINGS_MAX) names.suggestions.clear()
  const found = new Map(Object.entries(own?.stems ?? {}))
  const stemOf = (word: string) => found.get(word) ?? stems.get(word) ?? word
  const { placeCues } = cache
  const ofPlaces = new Set([...placeCues.keys()].flatMap((phrase) => phrase.split(' ')))
  const isKnown = (word: string) => ofPlaces.has(word) || isKnownWord(names.names, stemOf, word)
  const { units, slips } = unitsNamed(ofIndex, words, { isKnown, vocabulary: names.names.vocabulary })
  return { ...names, stemOf, placeCues, units, slips, allUnits: ofIndex.byWords, unitCounts: ofIndex.counts }
}
const NO_UNITS: UnitNames = {
  byWords: new Map(),
  longest: 0,
  words: new Set(),
  counts: { state: 0, lga: 0, ward: 0 },
}

/** The largest index has 9,620 units: they are read once for each generation. */
async function unitsOf(reader: Reader, cache: CatalogueCache): Promise<UnitNames> {
  const generation = JSON.stringify(await indexGeneration(reader))
  if (cache.units?.generation !== generation) cache.units = { generation, names: unitNamesOf(await unitNames(reader)) }
  return cache.units.names
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

const ENDING_UNIT = /_(?:m|mm|cm|km|km2|ha|kg|t|pct)$/i

function topicOfRow(row: CatalogueRow, { layerId, kind, vintage, price }: DatasetRow): Topic {
  const labelled = [yearsIn(row.label), yearsIn(row.synonyms.join(' ')), yearsIn(vintage ?? '')]
  return {
    subject: subjectOf(row, layerId),
    label: row.label,
    // The name of a property may end in its unit: "depth_m".
    names: [
      ...new Set([
        row.label,
        ...(row.property === null ? [] : [row.property, row.property.replace(ENDING_UNIT, '')]),
        ...row.synonyms,
      ]),
    ],
    counted: row.counted,
    verbs: row.verbs,
    adjectives: { above: row.adjectives, below: row.antonyms },
    datasetNames: row.type === 'features' || row.property !== null ? [] : row.datasetNames,
    type: row.type,
    summary: row.property !== null && isYearOf(row, row.property) ? 'none' : row.summary,
    unit: row.unit ?? undefined,
    kind,
    years: labelled.find((years) => years.length > 0) ?? [],
    series: `${layerId} ${row.property ?? ''} ${withoutYears(fold(row.label))}`,
    classes: row.classes,
    ...(price !== null && { isPaid: true }),
  }
}

function subjectOf({ attribute, property }: CatalogueRow, layerId: string): Subject {
  if (attribute !== null) return { kind: 'attribute', layerId, attribute }
  return property === null ? { kind: 'features', layerId } : { kind: 'property', layerId, property }
}
