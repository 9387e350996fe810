/** A question as this service understands it. read.ts makes it from words; choice.ts computes figures from it. */
import type { AlgebraFigure, Subject, Test } from '../../figures/index.js'
import type { UnitLevel } from '../../place.js'

/** The frames asked are those of one unit of this level, or are listed or drawn: no level. */
export type WholeLevel = UnitLevel | 'country' | undefined

/** Selects frames: "urban frames", "frames with more than 5,000 people", "frames without a clinic". */
export type Condition = { subject: Subject; test: Test }

/** A ratio is to one of the other, or to this many of them. */
export type RatioTo = { other: Subject; times?: string }

/** `usual`: the statistic that the catalogue gives the subject. */
export type Operation =
  | { op: 'usual' | 'sum' | 'mean' | 'median' | 'min' | 'max' | 'mode' | 'range' }
  /** The bounds between which the total lies, or its density or average, or the share of the frames that pass. */
  | { op: 'interval'; of?: 'per_km2' | 'portion' | 'mean' }
  /** How many frames, and which: of all, or of those that pass the conditions of the whole. */
  | { op: 'frames'; whole?: Condition[] }
  /** The frames of one class of a category, as a part of the frames that record it. */
  | { op: 'class'; value: string }
  /** The first frames in the order of the subject, or all of them without `n`. */
  | { op: 'rank'; order: 'highest' | 'lowest'; n?: number }
  /** The part of the total that the frames which pass the conditions have. */
  | { op: 'portion' }
  | { op: 'per_km2' }
  | ({ op: 'per' } & RatioTo)
  /** From the other subject to this one: the difference, and what it is in percent. */
  | { op: 'change'; other: Subject }
  /** The names of features. */
  | { op: 'names' }
  /** The length of lines or the area of polygons, inside the frames. */
  | { op: 'extent' }
  /**
   * A figure of the algebra, without its place, told in a unit of measure; all that it reads; and what asks for it; or its
   * interval.
   */
  | { op: 'figure'; figure: AlgebraFigure; subjects: Subject[]; words: string; measure?: string; isInterval?: true }

/** A unit that the question names. placing.ts knows which frames lie there. */
export type NamedPlace = {
  text: string
  /** The word beside its name: "Central LGA". */
  unit?: string
  /** "In Marembe and in Lakeside": each place has its own figure. "Central LGA of Marembe" is one place. */
  isListed?: true
  /** "Outside Marembe", "except Lakeside": the figure is of the other frames. */
  isExcluded?: true
  /** Categories of units that have the name as a class. */
  categories: { subject: Subject; label: string; value: string }[]
  /** The name is a class of another category as well. The class is meant where no frame lies in the place. */
  otherwise?: Condition
}

/** One thing that the question asks for, over the frames that pass every condition. */
export type Ask = {
  subject: Subject
  operation: Operation
  where: Condition[]
  /** The figure is of the frames that lie there. */
  places?: NamedPlace[]
  /** This part of the question has an unknown word: the figure is the nearest to what it asks for, and no answer to it. */
  isNearest?: true
}

/** Words of the question that a plan or a near miss tied to a name, or that a plan left out: they carry nothing. */
export type ReadAs = { words: string; name?: string }

export type Reading = {
  /** In the order of the question. */
  asks: Ask[]
  /** Words of the question that no dataset has and that change what it means, as they were written. */
  unknown: string[]
  /** Parts of the question that are understood and cannot be computed, as they were written. */
  unanswered: string[]
  readAs?: readonly ReadAs[]
  /** The places of all parts. */
  places?: NamedPlace[]
  /** `profile`: the question asks for an overview. `nothing`: it is a greeting, thanks, or no question about frames. */
  wants: 'figures' | 'profile' | 'nothing'
}
