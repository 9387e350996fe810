/** Computes between which bounds a modelled value lies: a total, its density, and the share that some frames have in it. */
import { intervalOfPortion, intervalOfSet, numbersCompared } from '../../db/statements.js'
import { roundOutwards } from '../../decimal.js'
import type { Computed } from '../figures/facets.js'
import type { FrameSet } from '../figures/frame-set.js'
import type { FigureCall } from '../figures/subject.js'
import { attributeFigure, totalOf } from './attributes.js'
import { densityOf, portionFigure } from './spread.js'

type Interval = { lower: string; upper: string; isOfDraws: boolean }

/** Bounds of the file stay as they are; those that draws give, and quotients, are rounded outwards. */
export async function intervalFigure(call: FigureCall): Promise<Computed | undefined> {
  if (call.figure.of === 'per_km2') return densityInterval(call)
  const coverage: FigureCall = { ...call, figure: { ...call.figure, statistic: 'frames' } }
  const [interval, recorded] = await Promise.all([intervalOf(call), attributeFigure(coverage)])
  if (!interval || !recorded) return undefined
  const bounds = interval.isOfDraws ? roundOutwards(interval) : interval
  return { result: { is: 'interval', ...interval, ...bounds }, frames: recorded.frames }
}

/** The totals of a place have their intervals. */
async function intervalOf({ reads, set, figure }: FigureCall): Promise<Interval | undefined> {
  const { lower, upper } = (await totalOf(reads, set, figure)) ?? {}
  if (lower && upper) return { lower, upper, isOfDraws: true }
  if (set.place && set.count > 1) return undefined
  const [row] = await reads.rows(intervalOfSet, set.frames, figure.layerId, [figure.attribute])
  return row && { lower: row.lower, upper: row.upper, isOfDraws: row.draws !== null }
}

/** The land is known: the bounds of a total are divided by it. */
async function densityInterval(call: FigureCall): Promise<Computed | undefined> {
  const [interval, density] = await Promise.all([intervalOf(call), densityOf(call)])
  if (!interval || !density) return undefined
  const { lower, upper, isOfDraws } = interval
  const divided = await Promise.all(
    [lower, upper].map((bound) => call.reads.rows(numbersCompared, bound, density.exactArea, '1')),
  )
  const [least, most] = divided.map(([row]) => row?.exactRatio ?? undefined)
  if (least === undefined || most === undefined) return undefined
  const bounds = roundOutwards({ lower: least, upper: most })
  return { result: { is: 'interval', ...bounds, isOfDraws }, frames: density.frames }
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
