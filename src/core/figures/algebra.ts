/**
 * The types of a figure. Statements figure and measured, and functions of the database, read these values as JSON, so an
 * analyst writes the same in psql.
 */

/** A set of frames, as function frame_set reads it: ["unit", "kano"], ["box", west, south, east, north], or ids. */
export type FrameSet = string[]

/** Numbers that pass: of "above" and "atLeast", and of "below" and "atMost", one at most. */
export type Bounds = { above?: Decimal; atLeast?: Decimal; below?: Decimal; atMost?: Decimal; equals?: Decimal }
type Decimal = number | string

/** Tests the value of a thing. A thing without a value neither passes nor fails. */
export type Test = Bounds | { is: string[] } | { has: string } | { recorded: true }

/**
 * A number or a class of each thing: an attribute of a baseline, the features on a frame (counted, or a property summed
 * over them, or their `extent`), or the land (geom) of the index. A property of features that are themselves measured has no
 * `of`. `extent` is the length in km or the area in km² of lines or polygons: inside the place where it is measured or a
 * weight, inside the index where it is tested or puts them into bands, and inside the frame where they are on frames. The
 * value of a unit is a `figure`.
 */
export type Subject = { of?: string; name?: string; where?: Filter; extent?: true; figure?: Figure }

export type Filter =
  | { all: Filter[] }
  | { any: Filter[] }
  | { not: Filter }
  | { in: FrameSet }
  | (Subject & Test)
  /** Frames by their spot, or features, within a distance of features. */
  | { near: string; where?: Filter; metres: number }
  /** Features on a frame that passes. */
  | { on: Filter }
  /** The difference of two values of a thing. */
  | (Subject & { minus: Subject } & Bounds)
  /** Frames in a unit whose own figure passes; or whose most common class is one of these. */
  | ({ units: UnitLevel; figure: Figure } & (Bounds | { is: string[] }))
  /** Frames in a unit of such a name, which several may have. */
  | { units: UnitLevel; named: string[] }

export type UnitLevel = 'state' | 'lga' | 'ward'

export type Measure = {
  /** frames, a dataset of features, or units: state, lga or ward. */
  things?: string
  place: FrameSet
  /** The place is those of its frames that pass: features lie on them, and units have them. */
  among?: Filter
  where?: Filter
  /** A count needs none. */
  subject?: Subject
  how?: 'count' | 'sum' | 'mean' | 'weighted_mean' | 'median' | 'quantile' | 'min' | 'max' | 'distinct' | 'mode'
  /** A weighted mean needs it. A thing whose weight is zero or less does not count. */
  weight?: Subject
  /** A quantile needs it: from 0 for the lowest value to 1 for the highest. */
  at?: number
}

/** A figure, or the arithmetic of two, in each group: those that pass, in order, and the first of them. */
export type Figure = {
  of: Measure
  /** Combines `of` with `to`. `times` multiplies a ratio; a change is in percent of `to`. */
  op?: 'sum' | 'difference' | 'ratio' | 'percent' | 'change'
  to?: Measure
  times?: Decimal
  /** The groups of `to`, which hold those of `by`: a level above, or null for the whole. */
  toBy?: Groups | null
  by?: Groups
  having?: Bounds
  order?: 'highest' | 'lowest'
  /** The first so many groups, with those that tie with the last of them; of each unit of a level above. */
  n?: number
  /** The group of this place alone. */
  nth?: number
  inEach?: UnitLevel
  /** No more rows are answered. */
  list?: number
}

/** A band begins at its number; what is below the first is band 0. `each`: of single frames or features. */
export type Groups = { level: UnitLevel } | { class: Subject } | { bands: number[]; of: Subject } | { each: true }

/** Statements take a figure as text: the sum of an attribute over frames. */
export const sumOf = (place: FrameSet, of: string, name: string): string =>
  JSON.stringify({ of: { place, subject: { of, name }, how: 'sum' } } satisfies Figure)
