/** Computes median, extremes, ranking, density, ratio and change of any subject that has a number on each frame. */
import {
  framesRanked,
  numbersCompared,
  portionOfSubject,
  spreadOfSubject,
  subjectsCompared,
} from '../../db/statements.js'
import type { ComparedSubjects, SpreadRow } from '../../db/rows.js'
import { defined } from '../../defined.js'
import type { Computed } from '../figures/facets.js'
import { NAMED_MAX } from '../figures/facet-text.js'
import { isReadable, type FrameSet } from '../figures/frame-set.js'
import type { Total } from '../figures/reads.js'
import { describe, type Description, type FigureCall, keptTotal } from '../figures/subject.js'
import { amount, extreme, type Figure, type Result, type Unnamed } from '../figures/typed.js'

export async function spreadFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure, subject } = call
  if (figure.statistic === 'rank') return rankFigure(call)
  const [row] = await reads.rows(spreadOfSubject, set.frames, ...subject.args)
  const result = row && spreadResult(figure, subject, row)
  return result && { result, frames: row.recorded }
}

/** Only a subject that is summed has a total. */
function spreadResult({ statistic }: Figure, { summary }: Description, row: SpreadRow): Result | undefined {
  const { total, range, lowest, highest } = row
  const isSum = summary === 'sum' && total !== null
  if (statistic === 'mean') return amount(row.mean)
  if (statistic === 'median') return amount(row.median)
  if (statistic === 'min') return extreme(lowest, row.lowestFrame, row.lowestFrames)
  if (statistic === 'max') return extreme(highest, row.highestFrame, row.highestFrames)
  if (statistic === 'range' && range !== null && lowest !== null && highest !== null)
    return { is: 'range', number: range, lowest, highest }
  if (!isSum) return undefined
  if (statistic === 'sum') return amount(total)
  return undefined
}

export async function densityFigure(call: FigureCall): Promise<Computed | undefined> {
  const density = await densityOf(call)
  if (!density) return undefined
  const { number, total, area, frames } = density
  return { result: { is: 'density', number, total, area }, frames }
}

type Density = { number: string; total: string; area: string; exactArea: string; frames: number }

/** The land of a place is kept. Where some of its frames record nothing, the land of the others is read. */
export async function densityOf({ reads, set, subject }: FigureCall): Promise<Density | undefined> {
  if (subject.summary !== 'sum') return undefined
  const known = await reads.totalsOf(set)
  const kept = keptTotal(known, subject)
  if (known && kept && (kept.dataset.kind !== 'frames' || kept.recorded === kept.frames)) {
    const [row] = await reads.rows(numbersCompared, kept.number, known.exactKm2, '1')
    const { km2: area, exactKm2: exactArea } = known
    return row && row.ratio !== null
      ? { number: row.ratio, total: kept.number, area, exactArea, frames: set.count }
      : undefined
  }
  const [row] = isReadable(set) ? await reads.rows(spreadOfSubject, set.frames, ...subject.args) : []
  if (!row || row.density === null || row.total === null || row.area === null || row.exactArea === null)
    return undefined
  const { density: number, total, area, exactArea, recorded: frames } = row
  return { number, total, area, exactArea, frames }
}

/** The total of all frames is the whole, and the frames that pass the conditions have a part of it. */
export async function portionFigure(call: FigureCall, some: FrameSet): Promise<Computed | undefined> {
  const { reads, set, subject } = call
  if (subject.summary !== 'sum') return undefined
  const [row] = isReadable(set)
    ? await reads.rows(portionOfSubject, set.frames, ...subject.args, some.frames)
    : await keptPortion(call, some)
  if (!row || row.total === null || row.percent === null) return undefined
  const { recorded, part, total, percent } = row
  return { result: { is: 'portion', percent, part, whole: total }, frames: recorded }
}

async function keptPortion({ reads, set, subject }: FigureCall, some: FrameSet) {
  const [whole, part] = await Promise.all(
    [set, some].map(async (each) => keptTotal(await reads.totalsOf(each), subject)),
  )
  if (!whole || !part) return []
  const [row] = await reads.rows(numbersCompared, part.number, whole.number, '100')
  return row ? [{ recorded: whole.recorded, part: part.number, total: whole.number, percent: row.ratio }] : []
}

/** A person cannot read more than some frames in one line: the table has the rest. */
async function rankFigure({ reads, set, figure, subject }: FigureCall): Promise<Computed | undefined> {
  const { n, order = 'highest' } = figure
  const highestFirst = await reads.rows(framesRanked, set.frames, ...subject.args)
  if (highestFirst.length === 0) return undefined
  const ranked = order === 'highest' ? highestFirst : highestFirst.toSorted((a, b) => a.lowest - b.lowest)
  const named = ranked.slice(0, Math.min(n ?? NAMED_MAX, NAMED_MAX))
  const shown = named.map(({ frameId, number }) => ({ name: frameId, number }))
  return {
    result: { is: 'rank', order, ranked: shown, ...unnamedOf(ranked, named, { n, order }) },
    frames: ranked.length,
  }
}

type RankedRow = { number: string | null; highest: number; lowest: number }

/** How many a list does not name: all others, or those that share the last rank where it has only the first ones. */
export function unnamedOf(
  ranked: readonly RankedRow[],
  named: readonly RankedRow[],
  { n, order }: { n: number | undefined; order: 'highest' | 'lowest' },
): Unnamed {
  const last = named.at(-1)
  const unnamed = ranked.slice(named.length)
  if (!last || unnamed.length === 0) return { more: 0 }
  if (n === undefined || n > named.length) return { more: unnamed.length }
  const more = unnamed.filter((each) => each[order] === last[order]).length
  return { more, ...(last.number === null || more === 0 ? {} : { tied: last.number }) }
}

type Compared = Omit<ComparedSubjects, 'otherRecorded'>

/** The ratio of two subjects, or the change from one to the other. */
export async function comparedFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, figure, subject } = call
  const other = figure.other && (await describe(reads, figure.other))
  const row = other && (await comparedOf(call, other))
  if (!row || row.recorded === 0) return undefined
  const result = figure.statistic === 'per' ? await ratioOf(call, other, row) : comparedChange(subject, other, row)
  return result && { result, frames: row.recorded }
}

/** A ratio is of two totals, each over all of its frames. A change is of the frames that record both. */
async function comparedOf(call: FigureCall, other: Description): Promise<Compared | undefined> {
  const { reads, set, figure, subject } = call
  const known = await reads.totalsOf(set)
  const [one, two] = [keptTotal(known, subject), keptTotal(known, other)]
  const isRatio = figure.statistic === 'per'
  const isOfAll = (total: Total) => total.dataset.kind !== 'frames' || total.recorded === total.frames
  if (one && two && (isRatio || (isOfAll(one) && isOfAll(two)))) {
    const [row] = await reads.rows(numbersCompared, one.number, two.number, '1')
    const recorded = Math.min(...[one, two].map((total) => (isOfAll(total) ? set.count : total.recorded)))
    const means = { mean: null, otherMean: null, meanDifference: null, meanPercent: null }
    return row && { recorded, total: one.number, otherTotal: two.number, ...row, ...means }
  }
  if (!isReadable(set)) return undefined
  const [row] = await reads.rows(subjectsCompared, set.frames, ...subject.args, ...other.args, isRatio)
  // A frame without a feature has none of them.
  const recordedOf = ({ dataset }: Description, recorded: number) =>
    isRatio && dataset && dataset.kind !== 'frames' ? set.count : recorded
  return row && { ...row, recorded: Math.min(recordedOf(subject, row.recorded), recordedOf(other, row.otherRecorded)) }
}

/** Only totals have a ratio: an average of averages would be no figure of these frames. */
async function ratioOf(
  { reads, figure: { times }, subject }: FigureCall,
  other: Description,
  { ratio, total, otherTotal }: Compared,
): Promise<Result | undefined> {
  if (subject.summary !== 'sum' || other.summary !== 'sum' || total === null || otherTotal === null) return undefined
  const [row] = times === undefined ? [{ ratio }] : await reads.rows(numbersCompared, total, otherTotal, times)
  return { is: 'ratio', number: row?.ratio ?? null, total, other: other.named, otherTotal, ...defined({ times }) }
}

function comparedChange(subject: Description, other: Description, row: Compared): Result | undefined {
  if (subject.summary !== other.summary || subject.named.unit !== other.named.unit) return undefined
  const [from, to, difference, percent] =
    subject.summary === 'sum'
      ? [row.otherTotal, row.total, row.difference, row.percent]
      : [row.otherMean, row.mean, row.meanDifference, row.meanPercent]
  if (from === null || to === null || difference === null) return undefined
  return { is: 'change', from, to, difference, percent, other: other.named }
}
