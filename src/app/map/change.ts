/** The change from one attribute to another, in percent: which two are compared, and the classes of it. */
import { roundOutwards } from '../../core/decimal.js'
import type { Reader } from '../../core/db/index.js'
import { changeLabel } from '../../core/figures/index.js'
import { besideOf, type Colour, type MapData } from './data.js'
import { spreadOfChange } from './statements.js'

export type ChangeOnMap = { from: Colour; to: Colour }

/** Two years of one figure have one measure: their classes are the same, and they have a change. */
export const haveOneMeasure = (one: Colour, other: Colour): boolean =>
  one !== other &&
  one.dataset.kind === 'frames' &&
  one.dataset.category === other.dataset.category &&
  one.attribute.unit !== null &&
  one.attribute.unit === other.attribute.unit &&
  one.attribute.summary === other.attribute.summary &&
  one.attribute.type === 'number' &&
  other.attribute.type === 'number'

/** Undefined where the second attribute has another measure: it then has a map of its own. */
export function comparableOf(data: MapData): ChangeOnMap | undefined {
  const [from, to] = [besideOf(data)?.colour, data.colour]
  return from && to && haveOneMeasure(from, to) ? { from, to } : undefined
}

export const changeOnMap = (data: MapData): ChangeOnMap | undefined =>
  data.view.as === 'change' ? comparableOf(data) : undefined

export const labelOfChange = ({ from, to }: ChangeOnMap): string =>
  changeLabel(from.attribute.label, to.attribute.label)

export const spreadArgs = ({
  from,
  to,
}: ChangeOnMap): [layer: string, attribute: string, before: string, other: string] => [
  to.dataset.layerId,
  to.attribute.name,
  from.dataset.layerId,
  from.attribute.name,
]

/** `steps`: what changed by so many percent, up or down, is in the next class. Levels share them: a colour has one meaning. */
type ChangeClasses = { steps: number[]; texts: string[]; colours: string[] }

/** map.css has so many colours: three for less, one for no change, and three for more. */
const NO_CHANGE = 4
/** Fewer classes take their colours from the ends. */
const STRENGTHS: readonly (readonly number[])[] = [[2], [1, 3], [1, 2, 3]]

export async function changeClasses(reader: Reader, change: ChangeOnMap): Promise<ChangeClasses> {
  const [spread] = await spreadOfChange(reader, ...spreadArgs(change))
  const rounded = [spread?.low, spread?.high].flatMap((bound) => (bound ? Number(bound.toPrecision(2)) : []))
  const steps = [...new Set(rounded)]
  const texts = [...steps, undefined].map((step, i) => {
    const before = steps[i - 1]
    if (step === undefined) return before === undefined ? '' : ` of more than ${changePercent(before)}`
    return before === undefined
      ? ` of up to ${changePercent(step)}`
      : ` of ${before.toLocaleString('en')}–${changePercent(step)}`
  })
  const strengths = STRENGTHS[steps.length] ?? []
  return {
    steps,
    texts: [
      ...texts.toReversed().map((text) => `decrease${text}`),
      'no change',
      ...texts.map((text) => `increase${text}`),
    ],
    colours: [
      ...strengths.map((each) => NO_CHANGE - each).toReversed(),
      NO_CHANGE,
      ...strengths.map((each) => NO_CHANGE + each),
    ].map((each) => `change-${each}`),
  }
}

const changePercent = (number: number): string => `${number.toLocaleString('en')} %`

/** Returns the change in percent with three digits. Null: from nothing, no percentage leads to more. */
export function percentBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  const [before, now] = [Number(from), Number(to)]
  if (before === 0) return now === 0 ? 0 : null
  return Number(((100 * (now - before)) / Math.abs(before)).toPrecision(3))
}

type Bounds = { lower: string | null; upper: string | null }

/**
 * Writes the change between the earlier value and the bounds of the later one. Bounds that enclose the earlier value do
 * not tell an increase from a decrease. Those of the earlier value are not known to be of the same runs, and are left
 * out.
 */
export function boundsOfChange(from: string | null, { lower, upper }: Bounds): string {
  if (lower === null || upper === null) return ''
  const round = roundOutwards({ lower, upper })
  const [least, most] = [percentBetween(from, round.lower), percentBetween(from, round.upper)]
  if (least === null || most === null) return ''
  return `${least <= 0 && most >= 0 ? 'within its uncertainty, ' : ''}${percentChange(least)} to ${percentChange(most)}`
}

/** Writes "+2.4 %", "−0.3 %" or "0 %". */
export const percentChange = (change: number | null): string =>
  change === null ? '' : `${change > 0 ? '+' : change < 0 ? '−' : ''}${changePercent(Math.abs(change))}`
