/** Every read of the map page: the files of sql/map/ with the types of what goes in and comes out. */
import { statement } from '../../core/db/statement.js'

/** Corners are in degrees. */
export type BoxCorners = { minLon: number; minLat: number; maxLon: number; maxLat: number }

/** `lga` is null for a state; `ward` is null for a state and for an LGA. */
export type UnitNames = { state: string; lga: string | null; ward: string | null }
export type UnitOnMapArgs = [state: string, lga: string | null, ward: string | null]

export type IndexExtent = { [Name in keyof BoxCorners]: number | null } & { runs: number }
export const extentOfIndex = statement<[], IndexExtent>('map/extent_of_index')

export type Outline = { path: string; height: number }
export const outlineOfIndex = statement<[], Outline>('map/outline_of_index')

export type UnitFacts = UnitNames &
  BoxCorners & { code: string | null; zone: string | null; frames: number; areaKm2: string }
export const unitFacts = statement<UnitOnMapArgs, UnitFacts>('map/unit_facts')

export type UnitColumns = [states: string[], lgas: (string | null)[], wards: (string | null)[]]
export const outlinesOfUnits = statement<UnitColumns, { geometry: string }>('map/outlines_of_units')

export const neighboursOfUnit = statement<UnitOnMapArgs, UnitNames>('map/neighbours_of_unit')

/** `alike` is 2 for the name that was typed, and less than 1 for a name that only resembles it. */
export type UnitFound = UnitNames & { frames: number; alike: number }
export const unitsNamed = statement<[words: string, most: number], UnitFound>('map/units_named')

export const framesOfBox = statement<
  [minLon: number, minLat: number, maxLon: number, maxLat: number, most: number],
  { id: string }
>('map/frames_of_box')

/** Numbers are decimals of two places, or of two digits where they are small. The bounds of the 95 % interval are exact. */
export type TotalBelow = UnitNames & {
  number: string | null
  class: string | null
  classFrames: number | null
  recorded: number
  frames: number
  km2: number | null
  lower: string | null
  upper: string | null
}
export const totalsBelowUnit = statement<
  [level: string, state: string, lga: string, layer: string, attribute: string],
  TotalBelow
>('map/totals_below_unit')

export type FeatureDescribed = BoxCorners & { geometry: string; properties: string; frames: string[] }
export const featureDescribed = statement<[layer: string, no: number, id: string, most: number], FeatureDescribed>(
  'map/feature_described',
)

export type LegendRow = {
  level: 'frame' | 'block' | 'ward' | 'lga' | 'state'
  recorded: number
  lacking: number
  lowest: string | null
  highest: string | null
  breaks: string[]
  bins: number[]
  classes: string[]
}
export const legendOfAttribute = statement<[layer: string, attribute: string], LegendRow>('map/legend_of_attribute')

/** Categories of more than 200 values have none kept. */
export const classesCounted = statement<[layers: string[]], { layer: string; attribute: string; classes: number }>(
  'map/classes_counted',
)

/** Two numbers part the changes into three groups of one size: both are null where no block changed. */
export const spreadOfChange = statement<
  [layer: string, attribute: string, before: string, other: string],
  { low: number | null; high: number | null }
>('map/spread_of_change')

export type Density = {
  level: 'block' | 'lga' | 'state'
  lowest: number
  highest: number
  breaks: number[]
  bins: number[]
}
export const densitiesOfAttribute = statement<[layer: string, attribute: string], Density>('map/densities_of_attribute')

/** Frames with the same number share a place, which is null in a large LGA. `mean` is that of the frames of the state. */
export type FrameAmong = { number: string; place: number | null; frames: number; mean: string | null }
/** A null for the subject counts features. */
export const frameAmong = statement<
  [id: string, state: string, lga: string, layer: string, subject: string | null, most: number],
  FrameAmong
>('map/frame_among')
