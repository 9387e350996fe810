/** The frames that an answer or a figure is about, with their count. */
import type { Filter } from './algebra.js'
import { placeName } from '../place-name.js'
import { setOf, type Area, type Place, type UnitPath } from '../place.js'

export type FrameSet = {
  /** SQL takes this text. */
  frames: string[]
  count: number
  /** Undefined for ids. Totals of a place are kept. */
  place?: Area
  /** The set has only those of the frames that pass. */
  where?: Filter
}

/** A model is made for areas: the figure of so few frames says that it is modelled. */
const FEW_FRAMES = 4
export const isOfFew = ({ frames }: { frames: number }) => frames <= FEW_FRAMES

export const setOfIds = (ids: readonly string[]): FrameSet => ({ frames: [...ids], count: ids.length })

export const setOfPlace = (place: Place, count: number): FrameSet =>
  'frames' in place ? setOfIds(place.frames) : { frames: setOf(place), count, place }

export const unitOf = ({ place }: FrameSet): UnitPath | undefined => (place && 'unit' in place ? place.unit : undefined)

/** A box or a shape has no name. */
export const AREA = 'this area'

/** Names the place of a set in sentences. Frames that a caller chose, or filtered, are no place. */
export function nameOfSet({ place, where }: FrameSet): string | undefined {
  if (place === undefined || where !== undefined) return undefined
  if (!('unit' in place)) return AREA
  return placeName(place.unit.at(-1) ?? '') || 'the country'
}
