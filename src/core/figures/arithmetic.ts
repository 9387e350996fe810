/** Computes figures of two measures: ratio, density, change and share. */
import type { Figure as Asked, Measure } from './algebra.js'
import { defined } from '../defined.js'
import type { Computed } from './facets.js'
import type { FrameSet } from './frame-set.js'
import type { Reads } from './reads.js'
import { describe, type Description, type FigureCall } from './subject.js'
import { askedOf, both, landOf, measureOf, recordedBy } from './measures.js'

/** The total of all frames is the whole, and the frames that pass the conditions have a part of it. */
export async function portionFigure(
  { reads, set, subject }: FigureCall,
  some: FrameSet,
): Promise<Computed | undefined> {
  if (subject.summary !== 'sum') return undefined
  const [row] = await askedOf(reads, { of: measureOf(some, subject), op: 'percent', to: measureOf(set, subject) })
  if (!row || row.shown === null || row.other === null) return undefined
  const result = { is: 'portion' as const, percent: row.shown, part: row.number ?? '0', whole: row.other }
  return { result, frames: recordedBy(subject) ? row.otherRecorded : set.count }
}

/** The density is over the land of the frames that record the subject. */
export async function densityFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, subject } = call
  if (subject.summary !== 'sum') return undefined
  const over = (frames: FrameSet) => askedOf(reads, { of: measureOf(frames, subject), op: 'ratio', to: landOf(frames) })
  const [all] = await over(set)
  const where = both(set.where, recordedBy(subject))
  const isOfAll = recordedBy(subject) === undefined || all === undefined || all.recorded === all.things
  const [row] = isOfAll ? [all] : await over({ ...set, ...defined({ where }) })
  if (!row || row.shown === null || row.number === null || row.other === null) return undefined
  const frames = recordedBy(subject) ? row.recorded : set.count
  return { result: { is: 'density', number: row.shown, total: row.number, area: row.other }, frames }
}

/** The frames that record all of the subjects: all of the set where each does. */
async function framesOfAll(reads: Reads, set: FrameSet, subjects: readonly Description[]): Promise<FrameSet> {
  const areOfAll = await Promise.all(
    subjects.map(async (subject) => {
      if (recordedBy(subject) === undefined) return true
      const [row] = await askedOf(reads, { of: measureOf(set, subject) })
      return row?.recorded === row?.things
    }),
  )
  const where = both(set.where, ...subjects.map(recordedBy))
  return areOfAll.includes(false) ? { ...set, ...defined({ where }) } : set
}

/** The ratio of two subjects, or the change from one to the other. */
export async function comparedFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, figure } = call
  const other = figure.other && (await describe(reads, figure.other))
  if (!other) return undefined
  return figure.statistic === 'per' ? await ratioFigure(call, other) : await changeFigure(call, other)
}

/** Only totals have a ratio: an average of averages would be no figure of these frames. */
async function ratioFigure(
  { reads, set, figure, subject }: FigureCall,
  other: Description,
): Promise<Computed | undefined> {
  if (subject.summary !== 'sum' || other.summary !== 'sum') return undefined
  const { times } = figure
  const [row] = await askedOf(reads, {
    of: measureOf(set, subject),
    op: 'ratio',
    to: measureOf(set, other),
    ...defined({ times }),
  })
  if (!row || row.number === null || row.other === null) return undefined
  // A frame without a feature has none of them.
  const ofOne = recordedBy(subject) ? row.recorded : set.count
  const ofOther = recordedBy(other) ? row.otherRecorded : set.count
  const frames = Math.min(ofOne, ofOther)
  if (frames === 0) return undefined
  const { shown: number, number: total, other: otherTotal } = row
  return { result: { is: 'ratio', number, total, other: other.named, otherTotal, ...defined({ times }) }, frames }
}

/** A change is of the frames that record both. */
async function changeFigure(call: FigureCall, other: Description): Promise<Computed | undefined> {
  const { reads, subject, set } = call
  const asked = await changeOf(call, other)
  const [row] = asked ? await askedOf(reads, asked) : []
  if (!row || row.other === null || row.number === null || row.difference === null) return undefined
  const frames = recordedBy(subject) ? row.recorded : set.count
  if (frames === 0) return undefined
  const { other: from, number: to, difference, shown: percent } = row
  const isMade = [subject, other].some(({ named: { method } }) => method !== undefined)
  const isModelled = isMade && !subject.hasInterval && !other.hasInterval ? { isModelled: true as const } : {}
  return { result: { is: 'change', from, to, difference, percent, other: other.named, ...isModelled }, frames }
}

/** Values that add up change in total, others on average. Undefined where the two have no change. */
export async function changeOf({ reads, set, subject }: FigureCall, other: Description): Promise<Asked | undefined> {
  if (subject.summary !== other.summary || subject.named.unit !== other.named.unit) return undefined
  const how: Measure['how'] = subject.summary === 'sum' ? undefined : 'mean'
  const frames = await framesOfAll(reads, set, [subject, other])
  const measure = (each: Description) => ({ ...measureOf(frames, each), ...defined({ how }) })
  return { of: measure(subject), op: 'change', to: measure(other) }
}
