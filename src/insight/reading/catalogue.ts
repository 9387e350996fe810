/** The catalogue as the reading of questions uses it: topics with their names and classes, and the stems of words. */
import type { Reader } from '../../db/replicas/reader.js'
import { catalogueOfQuestion, type CatalogueRow, type DatasetRow } from '../../db/statements.js'
import type { Subject } from './reading.js'
import { fold, plainWordsOf } from './words.js'

/** One thing that datasets record. */
export type Topic = {
  subject: Subject
  label: string
  /** The label and the synonyms. */
  names: string[]
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
}
/** Topics are in the order of the datasets. */
export type Catalogue = { topics: Topic[]; stems: ReadonlyMap<string, string> }

/** Reads the topics of datasets, and the stems of the words of their names and of the question. */
export async function readCatalogue(
  reader: Reader,
  datasets: readonly DatasetRow[],
  question: string,
): Promise<Catalogue> {
  const layers = datasets.map(({ layerId }) => layerId)
  const rows = await catalogueOfQuestion(reader, layers, [...new Set(plainWordsOf(question))])
  const topics = rows.flatMap((row) => {
    const dataset = datasets[row.layer - 1]
    return dataset ? [topicOf(row, dataset)] : []
  })
  return { topics, stems: new Map(Object.entries(rows[0]?.stems ?? {})) }
}

const YEAR = /\b(?:19|20)\d\d\b/g
const yearsIn = (text: string) => [...new Set([...text.matchAll(YEAR)].map(([year]) => Number(year)))]

export function topicOf(row: CatalogueRow, { layerId, kind, vintage }: DatasetRow): Topic {
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
