/** Every read there is: the files of sql/ with the types of what goes in and comes out. */
import type { UnitFields } from '../unit-fields.js'
import type { LevelTotal, TotalOfArea, TotalLevel, UnitTotal } from './unit-totals.js'
import { listStatement, pageStatement, type IndexGeneration } from './page.js'
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
export const framesListed = listStatement('frames_listed')
export const framesInBox =
  pageStatement<[minLon: number, minLat: number, maxLon: number, maxLat: number]>('frames_in_box')
export const framesInAreaPage = pageStatement<[frames: string[], after: string]>('frames_in_area_page')
export const framesInState = pageStatement<[state: string, after: string]>('frames_in_state')
export const framesInLga = pageStatement<[state: string, lga: string, after: string]>('frames_in_lga')
export const framesInWard = pageStatement<[state: string, lga: string, ward: string, after: string]>('frames_in_ward')

export const indexGeneration = statement<[], IndexGeneration>('index_generation')

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
  /** The features that a baseline records distances to. Who reads them reads it, at their price. */
  distanceTo: string | null
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
export const accountBalance = statement<[orgId: string, prices: number[]], { balance: string; covered: number[] }>(
  'account_balance',
)
export const walkIsPaid = statement<[orgId: string, keyId: string, walk: string], { isPaid: boolean }>('walk_is_paid')
export const frameBoxes = statement<[ids: string[]], { place: number; bbox: string }>('frame_boxes')
export const recordsOfBaselines = statement<[ids: string[], layers: string[]], BaselineRow>('records_of_baselines')
export const intervalsOfFrames = statement<[ids: string[], layers: string[]], BaselineRow>('intervals_of_frames')
export const recordsOfFeatures = statement<[ids: string[], layers: string[], most: number], RecordRow>(
  'records_of_features',
)

type UnitArgs = [level: TotalLevel, state: string | null, lga: string | null, ward: string | null, block: number | null]
/** No row for a unit that the index does not have. Names that the level does not have are null. */
export const totalsOfUnit = statement<[...UnitArgs, layers: string[]], UnitTotal>('totals_of_unit')
export const totalsOfLevel = statement<[level: TotalLevel, layer: string, attribute: string], LevelTotal>(
  'totals_of_level',
)

export const totalsOfArea = statement<[frames: string[], layers: string[]], TotalOfArea>('totals_of_area')
/** PostgreSQL refuses a shape that has a fault. */
export const shapeRead = statement<[shape: string], { wkt: string }>('shape_read')

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
  /** One of the things that a value counts, and several: "person", "people". */
  noun: string | null
  plural: string | null
  /** Whether the dataset has draws or bounds beside its values. */
  interval: 'draws' | 'bounds' | null
  frames: number
  sum: string | null
  mean: string | null
  weightedMean: string | null
  /** Frames whose weight is a number above zero. */
  weightedFrames: number
  lowest: string | null
  /** The lowest id among the frames with that minimum. */
  lowestFrame: string | null
  lowestFrames: number
  highest: string | null
  highestFrame: string | null
  highestFrames: number
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
  /** The noun, the plural and the unit of the attribute. */
  counted: string[]
  /** The first row has the stems of words that differ from them. */
  stems: Record<string, string> | null
}
export const catalogueOfDatasets = statement<[layers: string[]], CatalogueRow>('catalogue_of_datasets')
export const wordsOfQuestion = statement<[words: string[]], { stems: Record<string, string> }>('words_of_question')
export type UnitNameRow = { level: 'state' | 'lga' | 'ward'; name: string }
export const unitNames = statement<[], UnitNameRow>('unit_names')
export const figuresOfFrames = statement<[frames: string[]], FramesFigure>('figures_of_frames')
export const figuresOfBaselines = statement<[frames: string[], layers: string[]], AttributeFigure>(
  'figures_of_baselines',
)
export const figuresOfFeatures = statement<[frames: string[], layers: string[]], FeatureFigure>('figures_of_features')
/** `draws` is null for the bounds that a file has. Bounds are exact decimals. */
export type Interval = { lower: string; upper: string; draws: number | null }
export const intervalOfSet = statement<
  [frames: string[], layer: string, attributes: string[]],
  Interval & { attribute: string }
>('interval_of_set')
export const intervalOfPortion = statement<
  [frames: string[], layer: string, attribute: string, some: string[]],
  { lower: string; upper: string }
>('interval_of_portion')
export const featuresPerFrame = statement<
  [frames: string[], layers: string[]],
  { layer: number; place: number; features: number }
>('features_per_frame')

export type AttributeEntry = Pick<
  AttributeFigure,
  'layer' | 'name' | 'label' | 'unit' | 'type' | 'summary' | 'weight' | 'method' | 'noun' | 'plural' | 'interval'
>
export const attributesOfDatasets = statement<[layers: string[]], AttributeEntry>('attributes_of_datasets')

/** `frames` is a set of frames, as sql/functions/frame_set.sql takes it. A subject is an attribute, a property, a column of the index, or null for the features: see sql/functions/frame_values.sql. */
type SubjectArgs = [frames: string[], layer: string, subject: string | null]
export type Passing = { recorded: number; ids: string[] }
export const framesWithin = statement<[...SubjectArgs, ...TestBounds], Passing>('frames_within')
export const framesOfClass = statement<[...SubjectArgs, value: string], Passing & { others: string[] }>(
  'frames_of_class',
)
export const framesWithProperty = statement<[...SubjectArgs, value: string], Passing & { others: string[] }>(
  'frames_with_property',
)
/** Frames of one number share a rank, counted from 1. */
export type RankedFrame = { frameId: string; number: string; highest: number; lowest: number }
export const framesRanked = statement<SubjectArgs, RankedFrame>('frames_ranked')
export type SpreadRow = {
  recorded: number
  total: string | null
  mean: string | null
  median: string | null
  lowest: string | null
  lowestFrame: string | null
  lowestFrames: number
  highest: string | null
  highestFrame: string | null
  highestFrames: number
  range: string | null
  area: string | null
  exactArea: string | null
  density: string | null
}
export const spreadOfSubject = statement<SubjectArgs, SpreadRow>('spread_of_subject')
/** Groups of one number share a rank. */
export type GroupFigure = {
  name: string
  /** A unit has the names of those above it, and its own. */
  path: string[] | null
  frames: number
  recorded: number
  number: string | null
  /** The number lies within the bounds. */
  passes: boolean
  highest: number
  lowest: number
  /** Only the mode has classes, the most common first. */
  classes: { value: string; frames: number }[] | null
}
type TestBounds = [above: string, atLeast: string, below: string, atMost: string]
export const figuresOfGroups = statement<
  [...SubjectArgs, groupLayer: string, groupSubject: string | null, statistic: string, ...TestBounds],
  GroupFigure
>('figures_of_groups')
export const sharesOfGroups = statement<
  [...SubjectArgs, groupLayer: string, groupSubject: string | null, some: string[], ...TestBounds],
  GroupFigure
>('shares_of_groups')
export const ratiosOfGroups = statement<
  [
    ...SubjectArgs,
    otherLayer: string,
    otherSubject: string | null,
    groupLayer: string,
    groupSubject: string | null,
    times: string,
    ...TestBounds,
  ],
  GroupFigure
>('ratios_of_groups')
export const intervalsOfGroups = statement<
  [frames: string[], layer: string, attribute: string, groupLayer: string, groupSubject: string | null],
  Pick<GroupFigure, 'name' | 'path'> & { lower: string; upper: string }
>('intervals_of_groups')
type KeptTotal = [layer: string, attribute: string]
export const totalsOfParts = statement<[unit: string[], parts: string, ...KeptTotal, ...TestBounds], GroupFigure>(
  'totals_of_parts',
)
export const ratiosOfParts = statement<
  [
    unit: string[],
    parts: string,
    ...KeptTotal,
    otherLayer: string,
    otherAttribute: string,
    times: string,
    isShare: boolean,
    ...TestBounds,
  ],
  GroupFigure
>('ratios_of_parts')
/** A quotient by nothing is null. */
export type NumbersCompared = {
  ratio: string | null
  exactRatio: string | null
  difference: string
  percent: string | null
}
export const numbersCompared = statement<[number: string, other: string, times: string], NumbersCompared>(
  'numbers_compared',
)
/** `isOnPath`: the unit lies inside the unit asked about, or has it inside. */
export type NamedUnit = Pick<LevelTotal, 'state' | 'lga' | 'ward'> & {
  place: number
  frames: number
  isOnPath: boolean
}
export const unitsOfNames = statement<[names: string[], unit: string[]], NamedUnit>('units_of_names')
export const portionOfSubject = statement<
  [...SubjectArgs, some: string[]],
  { recorded: number; part: string; total: string | null; percent: string | null }
>('portion_of_subject')
/** A quotient by nothing is null. */
export type ComparedSubjects = {
  recorded: number
  otherRecorded: number
  total: string | null
  otherTotal: string | null
  ratio: string | null
  difference: string | null
  percent: string | null
  mean: string | null
  otherMean: string | null
  meanDifference: string | null
  meanPercent: string | null
}
export const subjectsCompared = statement<
  [...SubjectArgs, otherLayer: string, otherSubject: string | null, isEach: boolean],
  ComparedSubjects
>('subjects_compared')
export const namesOfFeatures = statement<
  [frames: string[], layer: string, most: number],
  { features: number; names: string[] }
>('names_of_features')
export type PropertyFigure = {
  features: number
  recorded: number
  numbers: number
  total: string | null
  mean: string | null
  lowest: string | null
  lowestName: string | null
  highest: string | null
  highestName: string | null
  classes: { value: string; features: number; names: string[] }[] | null
}
export const propertyOfFeatures = statement<[frames: string[], layer: string, property: string], PropertyFigure>(
  'property_of_features',
)
export const extentOfFeatures = statement<
  [frames: string[], layer: string],
  { features: number; km: string | null; km2: string | null }
>('extent_of_features')
