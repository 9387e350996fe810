/** Makes figures of four frames by the functions of the service, without a database. */
import type { DatasetRow } from '../../src/core/db/statements.js'
import type { Facet } from '../../src/core/insight/figures/facets.js'
import type { AttributeFigures } from '../../src/core/insight/figures/read-figures.js'
import { attributeFacet, featureFacet, indexFacets } from '../../src/core/insight/figures/usual-facets.js'
import type { NarrativeInput } from '../../src/core/insight/narrate.js'

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

const nothing = {
  layer: 1,
  weight: null,
  method: null,
  noun: null,
  plural: null,
  interval: null,
  frames: FRAMES,
  odd: 0,
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
export const clinics = (name = 'Clinics', features = 12) =>
  (['count', 'frames'] as const).map((statistic) =>
    featureFacet({ layer: 1, features, frames: 3, dataset: dataset(name, 'Health', 'points') }, statistic, FRAMES),
  )

const facetOf = (facet: Facet | undefined): Facet => {
  if (!facet) throw new Error('there is no such figure')
  return facet
}
export const total = (figures: AttributeFigures): Facet =>
  facetOf(attributeFacet(figures, { statistic: 'sum' }, FRAMES))

/** `name` and `cover` are names that the owner of a dataset chose. */
export const madeFacets = ({ name = 'Clinics', cover = 'Cropland', ward = 'GRA 2' } = {}): Facet[] => [
  ...clinics(name).slice(0, 1),
  total(people()),
  facetOf(attributeFacet(landCover(cover), { statistic: 'mode' }, FRAMES)),
  facetOf(attributeFacet(people(), { statistic: 'max' }, FRAMES)),
  ...indexFacets({ frames: FRAMES, area: '4.92', states: null, lgas: null, wards: [ward] }),
]

export const inputOf = (facets: readonly Facet[], changes: Partial<NarrativeInput> = {}): NarrativeInput => ({
  question: 'How many clinics are there?',
  format: 'plain',
  facts: {
    headline: '12 clinics on 4 frames',
    facets,
    frames: FRAMES,
    frameIds: ['35640905'],
  },
  answers: [0],
  nearest: [],
  notes: [],
  ...changes,
})
