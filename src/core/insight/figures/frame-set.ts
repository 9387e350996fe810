/** The frames that an answer or a figure is about: ids, all frames of a unit, or all that touch a box or a shape. */

/** The state, the LGA and the ward of a unit; empty for the whole index. */
export type UnitPath = readonly string[]
/** A box in degrees. */
export type Corners = readonly [minLon: number, minLat: number, maxLon: number, maxLat: number]
/** A shape is a polygon as text that shapeOf has checked. */
export type Area = { box: Corners } | { shape: string }
export type Place = { unit: UnitPath } | Area

export type FrameSet = {
  /** SQL takes this text: the ids, or the name of the place (sql/functions/frame_set.sql). */
  frames: string[]
  count: number
  /** Undefined for ids. Totals of a place are kept. */
  place?: Place
  /** They pass conditions, and are not those asked about. */
  isSelection?: true
}

/** Figures of single frames read every frame of a set: 7,308 frames take 25 ms on PostgreSQL. */
export const FRAMES_READ_MAX = 50_000
export const isReadable = ({ count }: FrameSet): boolean => count <= FRAMES_READ_MAX

/** A model is made for areas: the figure of so few frames says that it is modelled. */
const FEW_FRAMES = 4
export const isOfFew = ({ frames }: { frames: number }) => frames <= FEW_FRAMES

export const setOfIds = (ids: readonly string[]): FrameSet => ({ frames: [...ids], count: ids.length })

export const framesOfArea = (area: Area): string[] =>
  'box' in area ? ['box', ...area.box.map(String)] : ['shape', area.shape]

export const setOfPlace = (place: Place, count: number): FrameSet => ({
  frames: 'unit' in place ? ['unit', ...place.unit] : framesOfArea(place),
  count,
  place,
})

export const unitOf = ({ place }: FrameSet): UnitPath | undefined => (place && 'unit' in place ? place.unit : undefined)

export const UNIT_LEVELS = ['state', 'lga', 'ward'] as const
export type UnitLevel = (typeof UNIT_LEVELS)[number]
export const isUnitLevel = (name: string): name is UnitLevel => UNIT_LEVELS.some((level) => level === name)
