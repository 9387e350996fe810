/** Reads what a dataset's values show: their range, their spread and their coverage, for one attribute in full. */
import type { Request } from 'express'
import type { CatalogueFigures, ClassRow } from './rows.js'
import { profileByUnit } from '../../core/db/statements.js'
import type { Reader } from '../../core/db/index.js'
import { setOf } from '../../core/place.js'
import { decode } from '../../api/http/query.js'
import { noSuchAttribute } from '../shell/refusals.js'
import type { Chosen, ChosenSubject } from './chosen.js'
import type { CatalogueDataset } from './data.js'
import { classesOfDataset, figuresOfDataset } from './statements.js'

/** The page shows so many values of each category. */
const CLASSES_LISTED = 12

/** Totals measure the length of lines and the area of polygons. */
const EXTENTS: Readonly<Record<CatalogueDataset['kind'], readonly ChosenSubject[]>> = {
  frames: [],
  points: [],
  lines: [{ name: 'km', label: 'Length', unit: 'km' }],
  polygons: [{ name: 'km2', label: 'Area', unit: 'km²' }],
}

/** All that can be chosen: the attributes of a baseline; of features, their number and extent. */
export const datasetSubjects = ({ kind, columns }: CatalogueDataset): readonly ChosenSubject[] =>
  kind === 'frames' ? columns : [{ name: 'features', label: 'Features', unit: null }, ...EXTENTS[kind]]

export type Values = {
  figures: ReadonlyMap<string, CatalogueFigures>
  classes: readonly ClassRow[]
  chosen: Chosen
  statements: { name: string; args: readonly unknown[] }[]
}

/** Reads what the values show. It is called only for a dataset that the organisation reads without a charge. */
export async function readValues(reader: Reader, dataset: CatalogueDataset, req: Request): Promise<Values> {
  const { layerId } = dataset
  const subject = chosenSubject(dataset, req)
  const args = [setOf({ unit: [] }), 'state', layerId, subject.name] as const
  const [figures, classes, states] = await Promise.all([
    figuresOfDataset(reader, layerId),
    classesOfDataset(reader, layerId, CLASSES_LISTED),
    profileByUnit(reader, ...args),
  ])
  const byName = new Map(figures.map((row) => [row.attribute, row]))
  return {
    figures: byName,
    classes,
    chosen: {
      subject,
      figures: byName.get(subject.name),
      classes: classes.filter(
        ({ name, value }) => dataset.kind === 'frames' && name === subject.name && value !== null,
      ),
      states: states.toSorted((one, other) => (one.state < other.state ? -1 : 1)),
      countsFeatures: dataset.kind !== 'frames',
    },
    statements: [
      { name: 'catalogue/figures_of_dataset', args: [layerId] },
      { name: 'catalogue/classes_of_dataset', args: [layerId, CLASSES_LISTED] },
      { name: 'profile_by_unit', args },
    ],
  }
}

/** Returns the attribute that the address names, or the first one. */
function chosenSubject(dataset: CatalogueDataset, { context: { asked } }: Request): ChosenSubject {
  const subjects = datasetSubjects(dataset)
  const [sent] = asked.get('attribute') ?? []
  const name = sent === undefined ? subjects[0]?.name : decode(sent.replaceAll('+', ' '))
  const subject = subjects.find((each) => each.name === name)
  if (subject) return subject
  // A baseline has an attribute at least, unless somebody removed the rows of the catalogue.
  if (sent === undefined) return { name: '', label: dataset.name, unit: null }
  throw noSuchAttribute(dataset.layerId, name ?? sent)
}
