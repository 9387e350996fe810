/** Computes between which bounds a modelled value lies: a total, its density, and the share that some frames have in it. */
import { intervalOfPortion, intervalOfSet, intervalsOfGroups, numbersCompared } from '../../db/statements.js'
import { roundOutwards } from '../../decimal.js'
import type { Computed } from '../figures/facets.js'
import type { FrameSet } from '../figures/frame-set.js'
import type { Description, FigureCall } from '../figures/subject.js'
import { attributeFigure, totalOf } from './attributes.js'
import { densityOf, portionFigure } from './spread.js'

type Interval = { lower: string; upper: string; isOfDraws: boolean }

/** Bounds of the file stay as they are; those that draws give, and quotients, are rounded outwards. */
export async function intervalFigure(call: FigureCall): Promise<Computed | undefined> {
  const { of, ...total } = call.figure
  const coverage: FigureCall = { ...call, figure: { ...total, statistic: 'frames' } }
  const known = of === 'per_km2' ? densityOf(call) : attributeFigure(coverage)
  const [interval, recorded] = await Promise.all([intervalOf(call), known])
  if (!interval || !recorded) return undefined
  const { frames } = recorded
  const divisor = 'exactArea' in recorded ? recorded.exactArea : of === 'mean' ? String(frames) : undefined
  const bounds = divisor === undefined ? interval : await quotients(call, interval, divisor)
  const isRounded = interval.isOfDraws || divisor !== undefined
  return bounds && { result: { is: 'interval', ...interval, ...(isRounded ? roundOutwards(bounds) : bounds) }, frames }
}

/** The totals of a place have their intervals. */
async function intervalOf({ reads, set, figure }: FigureCall): Promise<Interval | undefined> {
  const { lower, upper } = (await totalOf(reads, set, figure)) ?? {}
  if (lower && upper) return { lower, upper, isOfDraws: true }
  if (set.place && set.count > 1) return undefined
  const [row] = await reads.rows(intervalOfSet, set.frames, figure.layerId, [figure.attribute])
  return row && { lower: row.lower, upper: row.upper, isOfDraws: row.draws !== null }
}

/** The land and the number of frames are known: the bounds of a total are divided by them. */
async function quotients({ reads }: FigureCall, { lower, upper }: Interval, by: string) {
  const divided = await Promise.all([lower, upper].map((bound) => reads.rows(numbersCompared, bound, by, '1')))
  const [least, most] = divided.map(([row]) => row?.exactRatio ?? undefined)
  return least === undefined || most === undefined ? undefined : { lower: least, upper: most }
}

/** The share of each draw. */
export async function portionInterval(call: FigureCall, some: FrameSet): Promise<Computed | undefined> {
  const { reads, set, figure } = call
  const [portion, [row]] = await Promise.all([
    portionFigure(call, some),
    reads.rows(intervalOfPortion, set.frames, figure.layerId, figure.attribute, some.frames),
  ])
  return portion && row && { ...portion, result: { is: 'interval', ...roundOutwards(row), isOfDraws: true } }
}

/** The bounds of each group, by its name and those of the units above it. */
export async function boundsOfGroups({ reads, set, figure }: FigureCall, { args }: Description) {
  const rows = await reads.rows(intervalsOfGroups, set.frames, figure.layerId, figure.attribute, ...args)
  return new Map(rows.map(({ name, path, ...bounds }) => [JSON.stringify(path ?? name), roundOutwards(bounds)]))
}
