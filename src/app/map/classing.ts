/** Puts numbers into classes, in the way that a person chose, and gives classes of a category their colours. */
import { spreadBins } from '../../core/spread-bins.js'

export const CLASSINGS = ['quantiles', 'equal', 'log', 'natural'] as const
export type Classing = (typeof CLASSINGS)[number]

/** How numbers spread, as table attribute_spread has it. */
export type Spread = {
  lowest: number
  highest: number
  breaks: readonly number[]
  bins: readonly number[]
  /** Zero is the lowest number, and a class of its own. */
  isZeroApart: boolean
  isWhole: boolean
}

const CLASSES_OF_MAP = 7
/** The legend writes as many. */
const CLASS_DIGITS = 6

/** Quantiles tell little where one class holds numbers that differ by more than this factor. */
const SPAN_MOST = 10

/** How the numbers are put into classes until a person chooses. */
export function usualClassing({ lowest, highest, breaks }: Spread): Classing {
  const last = breaks.findLast((bound) => bound < highest) ?? highest
  if (highest <= SPAN_MOST * last) return 'quantiles'
  return lowest < 0 || last <= 0 ? 'natural' : 'log'
}

/** Returns the upper bounds of all classes but the last: 0 first where zero is apart. */
export function classBounds(spread: Spread, classing: Classing = usualClassing(spread)): number[] {
  const { lowest, highest, isZeroApart, isWhole } = spread
  const found = BOUNDS_BY_WAY[classing](spread).map(isWhole ? Math.floor : roundedUp)
  const inside = found.filter((bound) => bound < highest && (isZeroApart ? bound > 0 : bound >= lowest))
  return [...new Set(isZeroApart && highest > 0 ? [0, ...inside] : inside)]
}

/** A number that is a bound stays in the class that it ends: rounded down, the bound would put it into the next one. */
function roundedUp(bound: number): number {
  const near = Number(bound.toPrecision(CLASS_DIGITS))
  // A step that was added up is a hair off.
  if (near >= Number(bound.toPrecision(12))) return near
  const digit = 10 ** (Math.floor(Math.log10(Math.abs(near))) + 1 - CLASS_DIGITS)
  return Number((near + digit).toPrecision(CLASS_DIGITS))
}

const BOUNDS_BY_WAY: Readonly<Record<Classing, (spread: Spread) => readonly number[]>> = {
  quantiles: ({ breaks }) => breaks,
  equal: equalBounds,
  log: logBounds,
  natural: naturalBounds,
}

function equalBounds({ lowest, highest }: Spread): number[] {
  const step = (highest - lowest) / CLASSES_OF_MAP
  if (step <= 0) return []
  // Two digits of a step are more than a map shows.
  const places = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(step))))
  return Array.from({ length: CLASSES_OF_MAP - 1 }, (_, i) => Number((lowest + step * (i + 1)).toFixed(places)))
}

/** The least factor whose powers make few enough classes. */
const FACTORS = [2, 4, 10, 100, 1000, 1e4, 1e6, 1e9]

/** Numbers below zero have no logarithm: they keep the quantiles. */
function logBounds({ lowest, highest, breaks, isZeroApart }: Spread): readonly number[] {
  const least = isZeroApart ? (breaks.find((bound) => bound > 0) ?? highest) : lowest
  if (!(least > 0)) return breaks
  for (const factor of FACTORS) {
    const [from, to] = [least, highest].map((number) => Math.log(number) / Math.log(factor)) as [number, number]
    const powers = Array.from({ length: Math.max(0, Math.ceil(to) - Math.ceil(from)) }, (_, i) => Math.ceil(from) + i)
    if (powers.length < CLASSES_OF_MAP) return powers.map((power) => factor ** power)
  }
  return breaks
}

type NumberGroup = { to: number; middle: number; numbers: number }

/**
 * Jenks: of all ways to cut the bins into seven classes, the one whose numbers are nearest to the mean of their class.
 * Bins are close enough: there are three for each class.
 */
function naturalBounds({ lowest, highest, bins, isZeroApart }: Spread): number[] {
  const groups = spreadBins(bins, lowest, highest)
    .filter(({ to, numbers }) => numbers > 0 && !(isZeroApart && to === 0))
    .map(({ from, to, numbers }): NumberGroup => ({ to, middle: (from + to) / 2, numbers }))
  const classes = Math.min(CLASSES_OF_MAP, groups.length)
  // The best way to cut the first groups into so many classes, made from the best with one class less.
  let best = groups.map((_, last): Cut => ({ cost: groupSpread(groups.slice(0, last + 1)), bounds: [] }))
  for (let made = 2; made <= classes; made += 1) {
    best = groups.map((_, last) => {
      const ways = groups.slice(0, last).map(({ to }, before): Cut => ({
        cost: (best[before]?.cost ?? Infinity) + groupSpread(groups.slice(before + 1, last + 1)),
        bounds: [...(best[before]?.bounds ?? []), to],
      }))
      const fit = ways.filter(({ bounds }) => bounds.length === made - 1)
      return fit.toSorted((one, other) => one.cost - other.cost)[0] ?? { cost: Infinity, bounds: [] }
    })
  }
  return best.at(-1)?.bounds ?? []
}

type Cut = { cost: number; bounds: number[] }

/** The sum of the squared distances from the mean. */
function groupSpread(groups: readonly NumberGroup[]): number {
  const sum = (of: (group: NumberGroup) => number) => groups.reduce((total, group) => total + of(group), 0)
  const numbers = sum((group) => group.numbers)
  const mean = sum((group) => group.numbers * group.middle) / numbers
  return sum((group) => group.numbers * (group.middle - mean) ** 2)
}

/** map.css has colours of these numbers. */
export const CLASS_COLOURS = 12

/** The second class of a kind gets the second colour. */
const FITTING: readonly (readonly [words: RegExp, colours: readonly number[]])[] = [
  [/\b(water|lake|river|sea|ocean)/i, [1]],
  [/\b(wetland|swamp|marsh|mangrove)/i, [5, 10]],
  [/(forest|\bwood|\btree)/i, [6, 12]],
  [/(grass|\bpasture|\bmeadow|\bsavanna)/i, [7, 8]],
  [/\b(shrub|bush|scrub)/i, [8]],
  [/\b(urban|built|building|town|city|settle)/i, [9]],
  [/\b(crop|farm|agricultur|orchard|plantation)/i, [3]],
  [/\b(bare|rock|sand|soil|desert|beach|dune)/i, [11, 2]],
]

/** Blue looks like water, so other classes get it last. */
const BY_LOT = [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 5, 1]

/** Returns the number of a colour for each of the first classes. Two classes never share one. */
export function classColours(classes: readonly string[]): number[] {
  const shown = classes.slice(0, CLASS_COLOURS)
  const taken = new Set<number>()
  const takeFirst = (colours: readonly number[]) => {
    const free = colours.find((colour) => !taken.has(colour))
    if (free !== undefined) taken.add(free)
    return free
  }
  const fitting = shown.map((name) => takeFirst(FITTING.find(([words]) => words.test(name))?.[1] ?? []))
  return fitting.map((colour) => colour ?? takeFirst(BY_LOT) ?? CLASS_COLOURS)
}
