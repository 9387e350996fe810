/** Every read there is: the files of sql/ with the types of what goes in and comes out. */
import type { UnitFields } from '../unit-fields.js'
import { pageStatement } from './page.js'
import { statement } from './statement.js'

/** geometry and bbox are JSON text, sent as they are. */
export type FrameRow = { id: string; geometry: string; bbox: string } & UnitFields

export type StateRow = {
  state: string
  stateCode: string | null
  zone: string | null
  zoneCode: string | null
  frames: number
}
export type LgaRow = { state: string; lga: string; lgaCode: string | null; frames: number }
export type WardRow = { state: string; lga: string; ward: string; wardCode: string | null; frames: number }
export type TreeRow = Omit<StateRow, 'frames'> & {
  stateFrames: number
  lga: string
  lgaCode: string | null
  lgaFrames: number
  ward?: string | null
  wardCode?: string | null
  wardFrames?: number | null
}

export const framesAt = statement<[lons: number[], lats: number[]], FrameRow & { place: number }>('frames_at')
export const framesById = statement<[ids: string[]], FrameRow>('frames_by_id')
export const framesInBox =
  pageStatement<[minLon: number, minLat: number, maxLon: number, maxLat: number]>('frames_in_box')
export const framesInState = pageStatement<[state: string, after: string]>('frames_in_state')
export const framesInLga = pageStatement<[state: string, lga: string, after: string]>('frames_in_lga')
export const framesInWard = pageStatement<[state: string, lga: string, ward: string, after: string]>('frames_in_ward')

export const indexGeneration = statement<[], { generation: string; switchedAt: string }>('index_generation')

export const states = statement<[], StateRow>('states')
export const lgas = statement<[], LgaRow>('lgas')
export const lgasOfState = statement<[state: string], LgaRow>('lgas_of_state')
export const wardsOfState = statement<[state: string], WardRow>('wards_of_state')
export const wardsOfLga = statement<[state: string, lga: string], WardRow>('wards_of_lga')
export const adminTree = statement<[], TreeRow>('admin_tree')
export const adminTreeOfState = statement<[state: string], TreeRow>('admin_tree_of_state')
export const adminTreeOfLga = statement<[state: string, lga: string], TreeRow>('admin_tree_of_lga')

export type AuthorityRow = {
  place: number
  keyId: string
  orgId: string
  plan: string
  capabilities: string[]
  datasets: string[] | null
}
export const keyAuthority = statement<[hashes: string[]], AuthorityRow>('key_authority')

/** price is absent where reading costs nothing. */
export type DatasetRow = {
  layerId: string
  name: string
  category: string
  kind: 'frames' | 'points' | 'lines' | 'polygons'
  orgId: string
  version: string
  vintage: string | null
  price: number | null
}
/** Places count from 1, among the ids and the datasets asked for. recorded, geometry and properties are JSON text. */
export type BaselineRow = { place: number; layer: number; recorded: string }
export type RecordRow = { place: number; layer: number; number: number } & (
  | { id: string; geometry: string; properties: string }
  | { id: null; geometry: null; properties: null }
)
export const datasetsInReach = statement<
  [orgId: string, narrowed: string[] | null],
  Pick<DatasetRow, 'layerId' | 'price'>
>('datasets_in_reach')
export const datasetsServed = statement<[layers: string[]], Omit<DatasetRow, 'price'>>('datasets_served')
export const datasetsContributing = statement<[ids: string[], layers: string[]], { layerId: string }>(
  'datasets_contributing',
)
export const accountBalance = statement<[orgId: string], { balance: string }>('account_balance')
export const frameBoxes = statement<[ids: string[]], { place: number; bbox: string }>('frame_boxes')
export const recordsOfBaselines = statement<[ids: string[], layers: string[]], BaselineRow>('records_of_baselines')
export const recordsOfFeatures = statement<[ids: string[], layers: string[], most: number], RecordRow>(
  'records_of_features',
)

export const ledgerFaults = statement<[], { orgId: string; fault: string; fix: string }>('ledger_faults')

/** Numbers are exact decimals, as text; units have the names of those above them after a comma. */
export type FramesFigure = {
  frames: number
  area: string | null
  states: string[] | null
  lgas: string[] | null
  wards: string[] | null
}
export type AttributeFigure = {
  layer: number
  name: string
  label: string
  unit: string | null
  type: 'number' | 'category'
  summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none'
  weight: string | null
  method: string | null
  frames: number
  odd: number
  sum: string | null
  mean: string | null
  weightedMean: string | null
  lowest: string | null
  lowestFrame: string | null
  highest: string | null
  highestFrame: string | null
  classes: { value: string; frames: number }[] | null
}
export type FeatureFigure = { layer: number; features: number; frames: number }
/** A topic of the catalogue: an attribute, features, or a property of features. `layer` counts from 1. */
export type CatalogueRow = {
  layer: number
  attribute: string | null
  property: string | null
  label: string
  synonyms: string[]
  unit: string | null
  type: 'number' | 'category' | 'features'
  summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none' | 'count'
  classes: string[]
  datasetNames: string[]
  /** The first row has the stems of words that differ from them. */
  stems: Record<string, string> | null
}
export const catalogueOfQuestion = statement<[layers: string[], words: string[]], CatalogueRow>('catalogue_of_question')
export type Topic = { layer: number; attribute: string | null; score: number }
export const figuresOfFrames = statement<[ids: string[]], FramesFigure>('figures_of_frames')
export const figuresOfBaselines = statement<[ids: string[], layers: string[]], AttributeFigure>('figures_of_baselines')
export const figuresOfFeatures = statement<[ids: string[], layers: string[]], FeatureFigure>('figures_of_features')
export const featuresPerFrame = statement<
  [ids: string[], layers: string[]],
  { layer: number; place: number; features: number }
>('features_per_frame')
export const topicsOfQuestion = statement<[layers: string[], question: string, years: number[]], Topic>(
  'topics_of_question',
)
