import type { UnitLevel } from '../place.js'
import type { Figure as Composed } from './algebra.js'

/** Figures as typed values. facet-text.ts and sentences/ write from these, and nothing reads a label or a value back. */

/** A test that each frame passes or fails. Bounds are plain decimals. */
export type Test =
  | { test: 'none' }
  | { test: 'any' }
  | { test: 'bounds'; above?: string; atLeast?: string; below?: string; atMost?: string }
  | { test: 'class'; value: string }
  | { test: 'not_class'; value: string }

/** The subject of a figure, as the catalogue names it. */
export type Named = {
  /** The label of an attribute, the name of a dataset of features or of a property, or of a column of the index. */
  label: string
  /** A `unit` is a state, an LGA or a ward. */
  type: 'number' | 'category' | 'features' | 'property' | 'unit'
  unit: string | null
  /** A year has no total and no average. */
  isYear: boolean
  /** The values of frames add up. */
  isSum: boolean
  method?: string
  /** The catalogue may name one of the things that a value counts, and several: "person", "people". */
  noun?: string
  plural?: string
  /** The name of the features that have the property. */
  features?: string
  /** A distance is measured from the middle of each frame. */
  isFromMiddle?: true
  /** It is the distance to the nearest of these: "clinic". */
  near?: string
}

export type FigureStatistic =
  | 'sum'
  | 'mean'
  | 'weighted_mean'
  | 'min'
  | 'max'
  | 'mode'
  | 'share'
  | 'count'
  | 'frames'
  | 'value'
  | 'median'
  | 'range'
  | 'rank'
  | 'portion'
  | 'per_km2'
  | 'per'
  | 'change'
  | 'names'
  | 'extent'
  | 'passing'
  | 'interval'
  | 'figure'

/** `attribute` is "feature" for the features of a dataset; `property` then names a property of theirs. */
export type FigureSubject = { layerId: string; attribute: string; property?: string }
/** The figure is over the frames that pass. */
export type SourceCondition = FigureSubject & Test

/** These members of a source say how to compute its figure. */
export type Figure = FigureSubject & {
  statistic: FigureStatistic
  /** A mode or a share counts this value. */
  class?: string
  /** A ranking is of this many frames. */
  n?: number
  /** A ranking begins with the highest or with the lowest. */
  order?: 'highest' | 'lowest'
  /** A ratio is per this other subject, and a change is from it. */
  other?: FigureSubject
  /** A ratio is per so many of the other: "1000". */
  times?: string
  /** An interval is of this figure, and else of the total. */
  of?: 'per_km2' | 'portion' | 'mean' | 'change'
  /** The figure is over the frames that pass all of these. */
  where?: SourceCondition[]
  /** The frames that pass those are counted among the frames that pass all of these. */
  whole?: SourceCondition[]
  /** The figure is over all frames of this unit, and not over those asked about: a state, an LGA and a ward. */
  unit?: readonly string[]
  /** A figure of the algebra: its places are those of the answer. An interval may be of one. */
  figure?: Composed
  /** It is told in this unit of measure. */
  measure?: string
}
/** With the frames of the answer, it is enough to compute the figure again. */
export type Source = Figure & {
  label: string
  dataset: string
  /** This many of the frames record a value for the figure. */
  frames: number
  /** A weighted mean is weighted by "area" or by an attribute of the same dataset. */
  weight?: string
  /** The catalogue may say which time the values describe. */
  vintage?: string
  /** The catalogue may say how the values were made. */
  method?: string
  /** The figure on one line, from which it can be computed again. */
  cite?: string
}

/** `isOfFeatures`: the figure is of features, which do not lie in the middle of their frame. */
export type NamedTest = { named: Named; test: Test; isOfFeatures?: boolean }
/** This many frames, or features, have the class. */
type ClassCount = { value: string; count: number }
/** A frame, a unit or a class with its number, and the bounds of an interval. */
export type Ranked = { name: string; number: string; lower?: string; upper?: string }
type Order = 'highest' | 'lowest'
/** A list names some, and counts the others: all of them, or those that share the last rank. */
export type Unnamed = { more: number; tied?: string }

/**
 * The words of a figure of groups. `measure` stands behind "the", and a value has its unit. Groups have so many `things`:
 * "clinics per 10,000 people". Those that pass may have `more` of one thing than of another, or be `those` with more than
 * one thing. A ratio is `per` these.
 */
export type GroupWords = {
  measure: string
  unit: string | null
  things?: { one: string; many: string }
  more?: string
  those?: string
  per?: string
}
/** `silent` groups have no number, and `without` of them none of the things that it is per. */
export type Grouped = {
  label: string
  unit: string | null
  by: Named
  words?: GroupWords
  silent: number
  without?: number
  all: number
}

/** Numbers are exact decimals. `of` counts what the parts are parts of. */
export type Result =
  | { is: 'amount'; number: string }
  /** `at` is a frame or a feature. `others` have the same number. */
  | { is: 'extreme'; number: string; at: string | null; others: number }
  /** All of these classes are the most common. */
  | { is: 'mode'; classes: string[]; count: number; of: number }
  | { is: 'share'; value: string; count: number; of: number; names?: string[] }
  | { is: 'classes'; classes: ClassCount[]; more: number; of: number }
  /** A class, or a name, that all have. */
  | { is: 'text'; value: string }
  | { is: 'recorded'; count: number; of: number }
  /** `names` are the first of the frames that pass. */
  | { is: 'passing'; names: string[]; count: number; of: number; recorded: number; tests: NamedTest[] }
  | { is: 'names'; names: string[]; count: number }
  | { is: 'range'; number: string; lowest: string; highest: string }
  | ({ is: 'rank'; order: Order; ranked: Ranked[] } & Unnamed)
  | { is: 'portion'; percent: string; part: string; whole: string }
  /** The value lies between these bounds, with 95 % where the dataset has draws of its model. */
  | { is: 'interval'; lower: string; upper: string; isOfDraws: boolean; other?: Named }
  | { is: 'density'; number: string; total: string; area: string }
  /** Per one of the other, or per so many. */
  | { is: 'ratio'; number: string | null; total: string; other: Named; otherTotal: string; times?: string }
  /** `isModelled`: the values are made by a model, and no interval is recorded. */
  | {
      is: 'change'
      from: string
      to: string
      difference: string
      percent: string | null
      other: Named
      isModelled?: true
    }
  /** `nth`: the groups of this place alone. `inEach`: the first ones of each unit of this level. */
  | ({ is: 'groups'; order?: Order; nth?: number; inEach?: UnitLevel; ranked: Ranked[] } & Grouped & Unnamed)
  | ({ is: 'group'; order: Order; number: string; names: string[] } & Grouped)
  | ({ is: 'groups_passing'; test: Test; names: string[]; count: number } & Grouped)
  /** A figure of the algebra with its own label: one number, or a list of groups or names. */
  | {
      is: 'composed'
      label: string
      said?: Said
      unit: string | null
      number?: string
      ranked?: Ranked[]
      more?: number
      recorded?: { count: number; of: number }
      /** The amounts of a share or a ratio: "12 of 30 clinics". */
      both?: string
    }
/** The words of a sentence around the value of a figure of the algebra. `counted`: they name what the number counts. */
export type Said =
  | {
      form: 'number'
      subject: string
      counted: boolean
      unit?: string | null
      are?: true
      end?: string
    }
  /** The second is a difference below zero, the third none. */
  | { form: 'compared'; subject: string; words: [above: string, below: string, same: string] }
  /** It begins a list of names with their numbers, or of names alone. */
  | { form: 'list'; one: string; many: string }
export type ResultOf<Form extends Result['is']> = Extract<Result, { is: Form }>

export type TypedFigure = {
  named: Named
  result: Result
  /** The figure is over the frames that pass all of these. */
  scope: readonly NamedTest[]
  /** The figure is of this ward. */
  ward?: string
  /** The answer is about this place, and not about frames of a call: "Lakeside", "the country". */
  place?: string
  /** So many frames are in that scope, or in that ward. */
  frames: number
  /** So many of them, or of the features of a property, record a value. */
  recorded?: { count: number; of: number }
}

export const amount = (number: string | null): Result | undefined =>
  number === null ? undefined : { is: 'amount', number }

/** `count` frames have this number, and `at` is one of them. */
export const extreme = (number: string | null, at: string | null, count: number): Result | undefined =>
  number === null ? undefined : { is: 'extreme', number, at, others: count - 1 }

/** Classes come with the most common first. */
export function mode(classes: readonly ClassCount[] | null, of: number): Result | undefined {
  const [first] = classes ?? []
  if (!first) return undefined
  const tied = (classes ?? []).filter(({ count }) => count === first.count).map(({ value }) => value)
  return { is: 'mode', classes: tied, count: first.count, of }
}
