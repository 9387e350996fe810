/** A topic of the catalogue: an attribute, features, or a property of features. */
import type { CatalogueRow, DatasetRow } from '../../db/statements.js'
import type { Subject } from './reading.js'

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

/** Categories of the index's own units: their classes are names of places. */
const UNIT_LABEL = /^(state|lga|ward|zone|region|district|province|county)s?$/i

export const isUnitLabel = (label: string): boolean => UNIT_LABEL.test(label)
export const isOfUnits = ({ label }: Topic) => isUnitLabel(label)
