/** Makes figures of four frames by the functions of the service, without a database. */
import { facetOf, type Computed, type Facet } from '../../src/core/figures/facets.js'
import type { AttributeFigure, DatasetRow } from '../../src/core/db/rows.js'
import {
  describedAttribute,
  describedFeatures,
  describedIndex,
  type Description,
} from '../../src/core/figures/subject.js'
import type { FigureStatistic } from '../../src/core/figures/typed.js'
import { resultOfFeatures, resultOfUnits } from '../../src/core/figures/compute.js'
import { computedOf, valuesOfRow } from '../../src/core/figures/values.js'
import type { NarrativeInput } from '../../src/core/insight/narrate.js'
import type { Notes } from '../../src/core/insight/notes.js'

const FRAMES = 4
const dataset = (name: string, category: string, kind: DatasetRow['kind']): DatasetRow => ({
  layerId: `lyr_${name.toLowerCase()}`,
  name,
  category,
  kind,
  orgId: 'org_1',
  vintage: null,
  distanceTo: null,
  version: '1',
  price: null,
})

type AttributeFigures = AttributeFigure & { dataset: DatasetRow }
const nothing = {
  layer: 1,
  weight: null,
  method: null,
  noun: null,
  plural: null,
  interval: null,
  frames: FRAMES,
  sum: null,
  mean: null,
  weightedMean: null,
  weightedFrames: 0,
  lowest: null,
  lowestFrame: null,
  lowestFrames: 0,
  highest: null,
  highestFrame: null,
  highestFrames: 0,
  classes: null,
}

export const people = (changes: Partial<AttributeFigures> = {}): AttributeFigures => ({
  ...nothing,
  dataset: dataset('Population', 'People', 'frames'),
  name: 'people',
  label: 'Population',
  unit: 'people',
  type: 'number',
  summary: 'sum',
  sum: '1234',
  highest: '800',
  highestFrame: '35640905',
  highestFrames: 1,
  ...changes,
})
const landCover = (value: string): AttributeFigures => ({
  ...nothing,
  dataset: dataset('Land', 'Land', 'frames'),
  name: 'cover',
  label: 'Land cover',
  unit: null,
  type: 'category',
  summary: 'mode',
  classes: [
    { value, frames: 3 },
    { value: 'Forest', frames: 1 },
  ],
})
const made = (subject: Description | undefined, statistic: FigureStatistic, computed: Computed | undefined): Facet => {
  if (!subject || !computed) throw new Error('there is no such figure')
  const { layerId, attribute } = subject.source
  return facetOf({ figure: { layerId, attribute, statistic }, subject, set: { count: FRAMES } }, computed)
}
const attributeFacet = (figures: AttributeFigures, statistic: FigureStatistic): Facet => {
  const subject = describedAttribute(figures, figures.dataset)
  const figure = { ...subject.source, statistic }
  return made(subject, statistic, computedOf({ figure, subject, set: { count: FRAMES } }, valuesOfRow(figures, FRAMES)))
}
export const clinics = (name = 'Clinics', features = 12) =>
  (['count', 'frames'] as const).map((statistic) =>
    made(
      describedFeatures(dataset(name, 'Health', 'points')),
      statistic,
      resultOfFeatures({ features, frames: 3 }, statistic, FRAMES),
    ),
  )
export const total = (figures: AttributeFigures): Facet => attributeFacet(figures, 'sum')
const indexFacet = (attribute: string, ward: string): Facet => {
  const amounts: Record<string, string> = { frame_id: String(FRAMES), geom: '4.92' }
  const number = amounts[attribute]
  const units = number === undefined ? resultOfUnits([[ward]]) : undefined
  const result = number === undefined ? units?.result : { is: 'amount' as const, number }
  const statistic = units?.statistic ?? (attribute === 'geom' ? 'sum' : 'count')
  return made(describedIndex(attribute), statistic, result && { result, frames: FRAMES })
}

/** `name` and `cover` are names that the owner of a dataset chose. */
export const madeFacets = ({ name = 'Clinics', cover = 'Cropland', ward = 'GRA 2' } = {}): Facet[] => [
  ...clinics(name).slice(0, 1),
  total(people()),
  attributeFacet(landCover(cover), 'mode'),
  attributeFacet(people(), 'max'),
  ...['frame_id', 'geom', 'ward'].map((attribute) => indexFacet(attribute, ward)),
]

export const NO_NOTES: Notes = {
  profile: false,
  answers: 0,
  nearest: 0,
  leftOut: [],
  unknown: [],
  unanswered: [],
  reasons: [],
  readAs: [],
  absent: [],
  partial: [],
}

export const inputOf = (facets: readonly Facet[], changes: Partial<NarrativeInput> = {}): NarrativeInput => ({
  question: 'How many clinics are there?',
  format: 'plain',
  headline: '12 clinics on 4 frames',
  facts: {
    headlineFigures: '12 clinics on 4 frames',
    facets,
    frames: FRAMES,
    frameIds: ['35640905'],
  },
  answers: [0],
  nearest: [],
  notes: [],
  ...changes,
})
