/** Puts areas into the classes of a legend: pages do so, and in the browser the cells, the units and the card of a map. */

/** The map is painted with the colours of the legend, which are names of map.css. */
export type Paint =
  | { levels: Partial<Record<Level, LevelPaint>>; isUnsure: boolean }
  | { classes: readonly string[]; colours: readonly string[] }
  | { before: ValuesAsked; steps: readonly number[]; colours: readonly string[] }

type LevelPaint = { bounds: readonly number[]; colours: readonly string[]; isDensity: boolean }

export type Level = 'state' | 'lga' | 'ward' | 'frame'

/** Which values of which import: the address of a square says all of it. */
export type ValuesAsked = Record<'dataset' | 'attribute' | 'version', string>

/** A number, the name of a class, or null where nothing is recorded. */
export type Value = number | string | null

/** A frame, or a unit with what it adds up. On a map of the change, `before` is the earlier value. */
export type Area = { value: Value; before?: Value | undefined } & Partial<
  Record<'lower' | 'upper', number | null | undefined>
> &
  Partial<Record<'recorded' | 'frames' | 'km2', number>>

/** The numbers of frames that are not dimmed. */
export type Brush = { from: number; to: number }

/** Undefined for a map of values. */
export const beforeOf = (paint: Paint): ValuesAsked | undefined => ('before' in paint ? paint.before : undefined)

export type Classes = {
  /** The names of colours of map.css, one for each class. */
  palette: readonly string[]
  /** The place of its class in the palette; -1 for an area without a value. */
  classOf: (area: Area) => number
  /** The bounds are wider apart than half the value (1), or than the value (2); they enclose the value before a change (1). */
  unsureOf: (area: Area) => 0 | 1 | 2
}

/** The legend writes "1,025", and so may people. A comma elsewhere stays what it is. */
export const typedNumber = (text: string): string =>
  /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text.trim()) ? text.replaceAll(',', '').trim() : text.trim()

/** The others are dimmed: those without a number, too. */
export const isInside = (brush: Brush | undefined, { value }: Area): boolean =>
  !brush || (typeof value === 'number' && value >= brush.from && value <= brush.to)

/** An area whose values nobody asked for has one plain colour. */
const PLAIN: Classes = { palette: ['map-plain'], classOf: () => 0, unsureOf: () => 0 }

export function classesOf(paint: Paint | undefined, level: Level): Classes {
  if (!paint) return PLAIN
  if ('classes' in paint) return ofNames(paint.classes, paint.colours)
  if ('steps' in paint) return { palette: paint.colours, classOf: changeClass(paint.steps), unsureOf: isWithinBounds }
  const { bounds = [], colours = [], isDensity = false } = paint.levels[level] ?? {}
  const last = bounds.length
  const classOf = ({ value, km2 = 0 }: Area) => {
    if (typeof value !== 'number') return -1
    // A unit without land has no density.
    const place = firstWithin(bounds, isDensity ? value / Math.max(km2, 1e-6) : value)
    return place < 0 ? last : place
  }
  return {
    palette: colours.length === 0 ? ['map-plain'] : colours,
    classOf,
    unsureOf: paint.isUnsure ? unsureOf : () => 0,
  }
}

const firstWithin = (bounds: readonly number[], value: number): number => bounds.findIndex((bound) => value <= bound)

function ofNames(names: readonly string[], colours: readonly string[]): Classes {
  const places = new Map(names.slice(0, colours.length).map((name, place) => [name, place]))
  return {
    palette: [...colours, 'class-other'],
    classOf: ({ value }) => (typeof value === 'string' ? (places.get(value) ?? colours.length) : -1),
    unsureOf: () => 0,
  }
}

/** A change from zero has no percentage: zero after zero is no change, and any other value has no class. */
function changeClass(steps: readonly number[]): Classes['classOf'] {
  const more = [0, ...steps]
  return ({ value, before }) => {
    if (typeof value !== 'number' || typeof before !== 'number' || (before === 0 && value !== 0)) return -1
    const percent = value === before ? 0 : (100 * (value - before)) / Math.abs(before)
    const place = firstWithin(more, Math.abs(percent))
    const strength = place < 0 ? more.length : place
    return more.length + (percent < 0 ? -strength : strength)
  }
}

/** Bounds that enclose the earlier value do not tell an increase from a decrease. No change has no stripes. */
const isWithinBounds: Classes['unsureOf'] = ({ value, before, lower, upper }) =>
  typeof before === 'number' && value !== before && before >= (lower ?? Infinity) && before <= (upper ?? -Infinity)
    ? 1
    : 0

function unsureOf({ value, lower, upper }: Area): 0 | 1 | 2 {
  if (typeof value !== 'number' || typeof lower !== 'number' || typeof upper !== 'number') return 0
  const width = upper - lower
  return width > value ? 2 : width > value / 2 ? 1 : 0
}
