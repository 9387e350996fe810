/** Figures as typed values. sentences/ writes from these, and never from the label or the value of a facet. */
import type { AttributeFigures } from './figures.js'
import type { Test } from '../reading/reading.js'

/** The subject of a figure, as the catalogue names it. */
export type Named = {
  /** The label of an attribute, the name of a dataset of features or of a property, or of a column of the index. */
  label: string
  type: 'number' | 'category' | 'features' | 'property' | 'unit'
  unit: string | null
  isYear: boolean
  /** The values of frames add up. */
  isSum: boolean
  method?: string
  /** The catalogue may name one of the things that a value counts, and several: "person", "people". */
  noun?: string
  plural?: string
  /** The name of the features that have the property. */
  features?: string
}

export type NamedTest = { named: Named; test: Test }
/** This many frames, or features, have the class. */
type ClassCount = { value: string; count: number }
/** A frame, a unit or a class with its number. */
type Ranked = { name: string; number: string }
type Order = 'highest' | 'lowest'
/** A list names some, and counts the others: all of them, or those that share the last rank. */
type Unnamed = { more: number; tied?: string }

/** `silent` groups record nothing. `per`: the number is a ratio to this other subject. */
export type Grouped = { by: Named; silent: number; all: number; per?: { other: Named; times?: string } }

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
  | { is: 'passing'; ids: string[]; of: number; recorded: number; tests: NamedTest[] }
  | { is: 'names'; names: string[]; count: number }
  | { is: 'range'; number: string; lowest: string; highest: string }
  | ({ is: 'rank'; order: Order; ranked: Ranked[] } & Unnamed)
  | { is: 'part'; frames: number; percent: string; part: string; whole: string }
  | { is: 'portion'; percent: string; part: string; whole: string }
  | { is: 'density'; number: string; total: string; area: string }
  /** Per one of the other, or per so many. */
  | { is: 'ratio'; number: string | null; total: string; other: Named; otherTotal: string; times?: string }
  | { is: 'change'; from: string; to: string; difference: string; percent: string | null; other: Named }
  | ({ is: 'groups'; order?: Order; ranked: Ranked[] } & Grouped & Unnamed)
  | ({ is: 'group'; order: Order; number: string; names: string[] } & Grouped)
  | ({ is: 'groups_passing'; test: Test; names: string[]; count: number } & Grouped)
  | ({ is: 'modes'; groups: GroupMode[]; more: number } & Grouped)
export type GroupMode = { name: string; classes: string[]; percent: string }

export type TypedFigure = {
  named: Named
  result: Result
  /** The figure is over the frames that pass all of these. */
  scope: readonly NamedTest[]
  /** So many frames are in that scope. */
  frames: number
  /** So many of them, or of the features of a property, record a value. */
  recorded?: { count: number; of: number }
}

export const namedAttribute = ({ label, type, unit, summary, method, noun, plural }: AttributeFigures): Named => ({
  label,
  type,
  unit,
  isYear: unit === 'year',
  isSum: summary === 'sum',
  ...(method === null ? {} : { method }),
  ...(noun === null || plural === null ? {} : { noun, plural }),
})

export const namedFeatures = (label: string): Named => ({
  label,
  type: 'features',
  unit: null,
  isYear: false,
  isSum: true,
})

export const namedIndex = (label: string, unit: string | null): Named => ({
  label,
  type: unit === null ? 'unit' : 'number',
  unit,
  isYear: false,
  isSum: unit !== null,
})

/** `count` frames have this number, and `at` is one of them. */
export const extreme = (number: string, at: string | null, count: number): Result => ({
  is: 'extreme',
  number,
  at,
  others: count - 1,
})
