/** Every read of an answer about a unit of many frames: the files of sql/ask/ with the types of what goes in and comes out. */
import { statement } from '../../db/statement.js'

/** The state, the LGA and the ward of a unit; empty for the whole index. */
export type UnitPath = readonly string[]
type PartNames = { state: string | null; lga: string | null; ward: string | null }

/** Numbers are exact decimals, as text. */
type AreaOfUnit = { frames: number; recorded: number; km2: string | null; density: string | null }
export const areaOfUnit = statement<[unit: UnitPath, layer: string, attribute: string], AreaOfUnit>('ask/area_of_unit')

/** Parts that share a number share their ranks. */
type Ranked = PartNames & {
  number: string | null
  fromTop: number
  fromBottom: number
  recorded: number
  frames: number
}
export type PartTotal = Ranked & { class: string | null; classFrames: number | null }
export const totalsOfParts = statement<[unit: UnitPath, parts: string, layer: string, attribute: string], PartTotal>(
  'ask/totals_of_parts',
)

export const ratiosOfParts = statement<
  [
    unit: UnitPath,
    parts: string,
    layer: string,
    attribute: string,
    otherLayer: string,
    otherAttribute: string,
    times: string,
  ],
  PartTotal
>('ask/ratios_of_parts')

export type SpreadMeasure = 'per_km2' | 'sum' | 'mean' | 'median' | 'min' | 'max'
export type PartSpread = Ranked & { km2: string | null; range: string | null } & Record<
    'lowest' | 'lowestFrame' | 'highest' | 'highestFrame',
    string | null
  > & { lowestFrames: number; highestFrames: number }
/** `parts` is blank for the unit itself; a null for the subject counts features. */
export const spreadOfParts = statement<
  [unit: UnitPath, parts: string, layer: string, subject: string | null, measure: SpreadMeasure],
  PartSpread
>('ask/spread_of_parts')

export type Compared = {
  recorded: number
  frames: number
  otherRecorded: number
  otherFrames: number
} & Record<'number' | 'otherNumber' | 'ratio' | 'percent' | 'difference' | 'change', string | null>
type Total = [unit: UnitPath, layer: string, attribute: string]
export const totalsCompared = statement<[...Total, ...Total, times: string], Compared>('ask/totals_compared')

/** A box in degrees. */
export type Corners = [minLon: number, minLat: number, maxLon: number, maxLat: number]
export type BoxSpread = Omit<PartSpread, keyof PartNames | 'fromTop' | 'fromBottom'>
/** A null for the subject counts features. */
export const spreadOfBox = statement<
  [...Corners, layer: string, subject: string | null, measure: SpreadMeasure],
  BoxSpread
>('ask/spread_of_box')

type Comparison = { ratio: string | null; difference: string; change: string | null }
export const numbersCompared = statement<[number: string, other: string, times: string], Comparison>(
  'ask/numbers_compared',
)

export type ClassCount = { class: string; classFrames: number; recorded: number; frames: number }
export const classesOfUnit = statement<[unit: UnitPath, layer: string, attribute: string], ClassCount>(
  'ask/classes_of_unit',
)

/** `isOnPath`: the unit lies inside the unit asked about, or has it inside. */
export type NamedUnit = PartNames & { place: number; frames: number; isOnPath: boolean }
export const unitsOfNames = statement<[names: string[], unit: UnitPath], NamedUnit>('ask/units_of_names')
