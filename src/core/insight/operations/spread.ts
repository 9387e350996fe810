/** Computes median, extremes, ranking, part and density of any subject that has a number on each frame. */
import {
  framesRanked,
  numbersCompared,
  portionOfSubject,
  spreadOfSubject,
  type RankedFrame,
  type Spread,
} from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import type { Facet } from '../figures/facets.js'
import { countText, frameText } from '../figures/figure-text.js'
import type { FigureStatistic } from '../figures/figures.js'
import { isReadable, type FrameSet } from '../figures/frame-set.js'
import { extreme } from '../figures/typed.js'
import { facetOf, type FigureCall, type FigureText } from './facet.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import { amountText, keptTotal, type Description } from './subject.js'

export async function spreadFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  if (figure.statistic === 'rank') return rankFigure(call)
  const [row] = await reads.rows(spreadOfSubject, set.frames, ...subject.args, figure.n ?? 1)
  const text = row && spreadText(call, row)
  return text && facetOf(call, { ...text, frames: row.recorded })
}

type SpreadText = Omit<FigureText, 'frames'>

function spreadText({ figure, subject }: FigureCall, row: Spread): SpreadText | undefined {
  const { text } = subject
  const textOf = (label: string, decimal: string | null): SpreadText | undefined =>
    decimal === null ? undefined : { label, value: text(decimal), result: { is: 'amount', number: decimal } }
  const extremeOf = (label: string, decimal: string | null, at: string | null, count: number) =>
    decimal === null
      ? undefined
      : { label, value: text(decimal) + frameText(at, count), result: extreme(decimal, at, count) }
  const texts: Partial<Record<FigureStatistic, () => SpreadText | undefined>> = {
    sum: () => sumText(subject, row),
    mean: () => textOf('average per frame', row.mean),
    median: () => textOf('median', row.median),
    min: () => extremeOf('lowest', row.lowest, row.lowestFrame, row.lowestFrames),
    max: () => extremeOf('highest', row.highest, row.highestFrame, row.highestFrames),
    range: () => rangeText(subject, row),
    part: () => partText(subject, row, figure.n ?? 1),
    per_km2: () => densityText(subject, row),
  }
  return texts[figure.statistic]?.()
}

/** Only a subject that is summed has a total, a part of it and a density. */
const sumText = ({ summary, text }: Description, { total }: Spread): SpreadText | undefined =>
  summary !== 'sum' || total === null
    ? undefined
    : { label: 'total', value: text(total), result: { is: 'amount', number: total } }

function rangeText({ text }: Description, { range, lowest, highest }: Spread): SpreadText | undefined {
  if (range === null || lowest === null || highest === null) return undefined
  return {
    label: 'difference between highest and lowest',
    value: `${text(range)} (from ${text(lowest)} to ${text(highest)})`,
    result: { is: 'range', number: range, lowest, highest },
  }
}

function partText(
  { summary, text }: Description,
  { total, part, partPercent }: Spread,
  n: number,
): SpreadText | undefined {
  if (summary !== 'sum' || part === null || partPercent === null || total === null) return undefined
  const frames = n === 1 ? 'highest frame' : `${numberWord(n)} highest frames`
  return {
    label: `share of the ${frames}`,
    value: `${partPercent} % (${text(part)} of ${text(total)})`,
    result: { is: 'part', frames: n, percent: partPercent, part, whole: total },
  }
}

/** The land of a place is kept. Where some of its frames record nothing, the land of the others is read. */
export async function densityFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, subject } = call
  const known = await reads.totalsOf(set)
  const total = keptTotal(known, subject)
  if (!known || !total || (total.dataset.kind === 'frames' && total.recorded < total.frames))
    return isReadable(set) ? spreadFigure(call) : undefined
  const [row] = await reads.rows(numbersCompared, total.number, known.exactKm2, '1')
  const text = row && densityText(subject, { total: total.number, area: known.km2, density: row.ratio })
  return text && facetOf(call, { ...text, frames: set.count })
}

type Density = Pick<Spread, 'total' | 'area' | 'density'>

function densityText({ summary, text }: Description, { total, area, density }: Density): SpreadText | undefined {
  if (summary !== 'sum' || density === null || total === null || area === null) return undefined
  return {
    label: 'per km²',
    value: `${text(density)} per km² (${text(total)} on ${groupThousands(area)} km²)`,
    result: { is: 'density', number: density, total, area },
  }
}

/** The total of all frames is the whole, and the frames that pass the conditions have a part of it. */
export async function portionFigure(call: FigureCall, some: FrameSet): Promise<Facet | undefined> {
  const { reads, set, subject } = call
  if (subject.summary !== 'sum') return undefined
  const [row] = isReadable(set)
    ? await reads.rows(portionOfSubject, set.frames, ...subject.args, some.frames)
    : await keptPortion(call, some)
  if (!row || row.total === null || row.percent === null) return undefined
  const { recorded, part, total, percent } = row
  return facetOf(call, {
    label: 'share',
    value: `${percent} % (${groupThousands(part)} of ${amountText(subject, total)})`,
    frames: recorded,
    result: { is: 'portion', percent, part, whole: total },
  })
}

async function keptPortion({ reads, set, subject }: FigureCall, some: FrameSet) {
  const [whole, part] = await Promise.all(
    [set, some].map(async (each) => keptTotal(await reads.totalsOf(each), subject)),
  )
  if (!whole || !part) return []
  const [row] = await reads.rows(numbersCompared, part.number, whole.number, '100')
  return row ? [{ recorded: whole.recorded, part: part.number, total: whole.number, percent: row.ratio }] : []
}

/** A person cannot read more frames in one line: the table has the rest. */
const RANKED_FRAMES = 10

async function rankFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  const { n, order = 'highest' } = figure
  const highestFirst = await reads.rows(framesRanked, set.frames, ...subject.args)
  if (highestFirst.length === 0) return undefined
  const ranked = order === 'highest' ? highestFirst : highestFirst.toSorted((a, b) => a.lowest - b.lowest)
  const named = ranked.slice(0, Math.min(n ?? RANKED_FRAMES, RANKED_FRAMES))
  const list = named.map(({ frameId, number }) => `frame ${frameId} (${subject.text(number)})`).join(', ')
  return facetOf(call, {
    label: n === undefined ? `${order} first` : `${numberWord(n)} ${order}`,
    value: list + othersText(ranked, named, { n, order, text: subject.text }),
    frames: ranked.length,
    result: {
      is: 'rank',
      order,
      ranked: named.map(({ frameId, number }) => ({ name: frameId, number })),
      ...unnamedOf(ranked, named, { n, order }),
    },
  })
}

/** A frame that shares the last rank is named nowhere, so it is counted. */
function othersText(
  ranked: readonly RankedFrame[],
  named: readonly RankedFrame[],
  { n, order, text }: { n: number | undefined; order: 'highest' | 'lowest'; text: (decimal: string) => string },
): string {
  const { more, tied } = unnamedOf(ranked, named, { n, order })
  if (more === 0) return ''
  return tied === undefined
    ? ` and ${countText(more)} more`
    : `; ${countText(more)} more ${more === 1 ? 'has' : 'have'} ${text(tied)}`
}

type RankedRow = { number: string | null; highest: number; lowest: number }

/** How many a list does not name: all others, or those that share the last rank where it has only the first ones. */
export function unnamedOf(
  ranked: readonly RankedRow[],
  named: readonly RankedRow[],
  { n, order }: { n: number | undefined; order: 'highest' | 'lowest' },
): { more: number; tied?: string } {
  const last = named.at(-1)
  const unnamed = ranked.slice(named.length)
  if (!last || unnamed.length === 0) return { more: 0 }
  if (n === undefined || n > named.length) return { more: unnamed.length }
  const more = unnamed.filter((each) => each[order] === last[order]).length
  return { more, ...(last.number === null || more === 0 ? {} : { tied: last.number }) }
}

const numberWord = (n: number) => NUMBER_WORDS[n] ?? String(n)
