/** Topics of the catalogue: attributes, features, and properties of features. */
import type { Subject } from '../../figures/index.js'
import type { CatalogueRow, DatasetRow } from '../../db/index.js'

export type Side = 'above' | 'below'

/** One thing that datasets record. */
export type Topic = {
  subject: Subject
  label: string
  /** The label and the synonyms. */
  names: string[]
  /** Words for the things that it counts, such as people. They are names where nothing else has them. */
  counted?: string[]
  /** Verbs that say nothing more beside its name, and adjectives for a high value and for a low one. */
  verbs?: string[]
  adjectives?: Record<Side, readonly string[]>
  /** The names and the category of its dataset. */
  datasetNames: string[]
  type: CatalogueRow['type']
  summary: CatalogueRow['summary']
  unit: string | undefined
  /** Lines have a length, polygons an area. */
  kind: DatasetRow['kind']
  /** The years that its label or its synonyms name, else the vintage of its dataset. */
  years: number[]
  /** Topics whose labels differ in the year alone are of one series. */
  series: string
  classes: string[]
  /** Its dataset costs the caller credits. */
  isPaid?: true
}

/** Categories of the index's own units: their classes are names of places. */
const UNIT_LABEL = /^(state|lga|ward|zone|region|district|province|county)s?$/i

export const isUnitLabel = (label: string): boolean => UNIT_LABEL.test(label)
export const isOfUnits = ({ label }: Topic) => isUnitLabel(label)

const YES = /^(true|yes)$/i
const NO = /^(false|no)$/i
/** The two classes of a property that says yes or no; undefined for another. */
export function yesAndNo({ classes }: Topic): [yes: string, no: string] | undefined {
  if (classes.length === 0 || !classes.every((value) => YES.test(value) || NO.test(value))) return undefined
  const isWord = classes.some((value) => /^(yes|no)$/i.test(value))
  return [classes.find((value) => YES.test(value)) ?? (isWord ? 'yes' : 'true'), classes.find((value) => NO.test(value)) ?? (isWord ? 'no' : 'false')] // prettier-ignore
}

type Topics = { topics: readonly Topic[] }

export const hasYear = ({ years }: Topic, year: number) =>
  years.length > 0 && year >= Math.min(...years) && year <= Math.max(...years)
const newest = ({ years }: Topic) => Math.max(0, ...years)

export const newestYear = ({ topics }: Topics): number => Math.max(0, ...topics.map(newest))

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
export const seriesOf = ({ topics }: Topics, { series }: Topic): Topic[] =>
  topics.filter((topic) => topic.series === series).toSorted((a, b) => newest(a) - newest(b))

export const topicsMeasuredIn = ({ topics }: Topics, unit: string): Topic[] =>
  topics.filter((topic) => topic.unit === unit)

export const layerOf = (topic: Topic | undefined): string | undefined =>
  topic && 'layerId' in topic.subject ? topic.subject.layerId : undefined

/** The classes of a category are bounds of a number: "2-5 km" of a distance. */
export const areBandsOf = ({ classes }: Topic, { unit }: Topic): boolean =>
  unit !== undefined && classes.length > 0 && classes.every((value) => /^\d/.test(value) && value.endsWith(` ${unit}`))

export const sameSubject = (a: Subject, b: Subject) => JSON.stringify(a) === JSON.stringify(b)

/** These statistics need numbers to add. */
export const isAdded = ({ summary }: Topic) => summary === 'sum' || summary === 'count'
