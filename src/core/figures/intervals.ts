/** Computes between which bounds a modelled value lies: a total, its density, a share of it, and its change. */
import { interval } from '../db/statements.js'
import { roundOutwards } from '../decimal.js'
import { defined } from '../defined.js'
import type { Figure as Asked } from './algebra.js'
import type { Computed } from './facets.js'
import type { FrameSet } from './frame-set.js'
import type { Reads } from './reads.js'
import { describe, type FigureCall } from './subject.js'
import type { ResultOf } from './typed.js'
import { changeOf } from './arithmetic.js'
import { countOfFrames, landOf, measureOf, recordedBy } from './measures.js'
import { recordedCount, totalOf } from './values.js'

/** The land and the number of frames are known: those of the frames that record the value divide its bounds. */
export async function intervalFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure, subject } = call
  if (figure.of === 'change') return changeInterval(call)
  const { lower, upper } = figure.of ? {} : ((await totalOf(call)) ?? {})
  const recording = recordedBy(subject)
  const to = figure.of === 'per_km2' ? landOf(set, recording) : figure.of && countOfFrames(set, recording)
  const asked: Asked = { of: measureOf(set, subject), ...(to && { op: 'ratio', to }) }
  const [[bounds], frames] = await Promise.all([
    lower && upper ? [{ ...roundOutwards({ lower, upper }), isOfDraws: true }] : boundsOf(reads, asked),
    recordedCount(call),
  ])
  return bounds && resultOf(bounds, frames)
}

/** The difference of each draw. What has no draws is the same in each. */
async function changeInterval(call: FigureCall): Promise<Computed | undefined> {
  const other = call.figure.other && (await describe(call.reads, call.figure.other))
  if (!other) return undefined
  const asked = await changeOf(call, other)
  const [bounds] = asked ? await boundsOf(call.reads, { ...asked, op: 'difference' }) : []
  return bounds && resultOf({ ...bounds, other: other.named }, await recordedCount(call))
}

/** The share of each draw. */
export async function portionInterval(call: FigureCall, some: FrameSet): Promise<Computed | undefined> {
  const { reads, set, subject } = call
  const asked: Asked = { of: measureOf(some, subject), op: 'percent', to: measureOf(set, subject) }
  const [[bounds], frames] = await Promise.all([boundsOf(reads, asked), recordedCount(call)])
  return bounds && resultOf(bounds, frames)
}

type Bounds = Omit<ResultOf<'interval'>, 'is'>
const resultOf = ({ lower, upper, isOfDraws, other }: Bounds, frames: number): Computed => ({
  result: { is: 'interval', lower, upper, isOfDraws, ...defined({ other }) },
  frames,
})

/** The bounds of each group, by its name and those of the units above it. */
export async function boundsOfRows(reads: Reads, asked: Asked) {
  const rows = await boundsOf(reads, asked)
  return new Map(rows.map(({ path, class: name, lower, upper }) => [JSON.stringify(name ?? path), { lower, upper }]))
}

/** Bounds of the file stay as they are; those that draws give, and quotients, are rounded outwards. */
async function boundsOf(reads: Reads, asked: Asked) {
  const rows = await reads.rows(interval, JSON.stringify(asked))
  return rows.map(({ path, class: name, lower, upper, draws }) => {
    const isRounded = draws !== null || asked.op !== undefined
    const bounds = isRounded ? roundOutwards({ lower, upper }) : { lower, upper }
    return { ...bounds, path, class: name, isOfDraws: draws !== null }
  })
}
