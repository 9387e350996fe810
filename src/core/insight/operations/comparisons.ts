/** Computes the ratio of two subjects, and the change from one to the other. */
import { numbersCompared, subjectsCompared, type ComparedSubjects } from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import type { Facet } from '../figures/facets.js'
import { isReadable } from '../figures/frame-set.js'
import type { Total } from '../figures/reads.js'
import type { Result } from '../figures/typed.js'
import { facetOf, type FigureCall, type FigureText } from './facet.js'
import { amountText, describe, keptTotal, namedOf, singularName, type Description } from './subject.js'

export async function comparisonFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  const other = figure.other && (await describe(reads, figure.other))
  if (!other) return undefined
  const row = await comparedOf(call, other)
  if (!row || row.recorded === 0) return undefined
  const text = figure.statistic === 'per' ? await ratioText(call, other, row) : changeText(subject, other, row)
  return text && facetOf({ reads, set, figure, subject }, { ...text, frames: row.recorded })
}

/** Totals of a place are compared where all frames record both, and where the frames are too many to find those that do. */
async function comparedOf(call: FigureCall, other: Description): Promise<ComparedSubjects | undefined> {
  const { reads, set, figure, subject } = call
  const known = await reads.totalsOf(set)
  const [one, two] = [keptTotal(known, subject), keptTotal(known, other)]
  const isOfAll = (total: Total) => total.dataset.kind !== 'frames' || total.recorded === total.frames
  if (one && two && ((isOfAll(one) && isOfAll(two)) || (!isReadable(set) && figure.statistic === 'per'))) {
    const [row] = await reads.rows(numbersCompared, one.number, two.number, '1')
    const recorded = Math.min(...[one, two].map((total) => (isOfAll(total) ? set.count : total.recorded)))
    const means = { mean: null, otherMean: null, meanDifference: null, meanPercent: null }
    return row && { recorded, total: one.number, otherTotal: two.number, ...row, ...means }
  }
  if (!isReadable(set)) return undefined
  const [row] = await reads.rows(subjectsCompared, set.frames, ...subject.args, ...other.args)
  return row
}

type ComparisonText = Pick<FigureText, 'label' | 'value' | 'result'>

/** Only totals have a ratio: an average of averages would be no figure of these frames. */
async function ratioText(
  { reads, figure, subject }: FigureCall,
  other: Description,
  { ratio: toOne, total, otherTotal }: ComparedSubjects,
): Promise<ComparisonText | undefined> {
  if (subject.summary !== 'sum' || other.summary !== 'sum' || total === null || otherTotal === null) return undefined
  const { times } = figure
  const [row] = times === undefined ? [{ ratio: toOne }] : await reads.rows(numbersCompared, total, otherTotal, times)
  const ratio = row?.ratio ?? null
  const label = perText(other, times)
  const totals = `${amountText(subject, total)}, ${amountText(other, otherTotal)}`
  const result: Result = {
    is: 'ratio',
    number: ratio,
    total,
    other: namedOf(other),
    otherTotal,
    ...(times === undefined ? {} : { times }),
  }
  return ratio === null
    ? { label, value: `not defined (${totals})`, result }
    : { label, value: `${amountText(subject, ratio)} ${label} (${totals})`, result }
}

/** "Per school", "per 10,000 people". */
export function perText({ unit, noun }: Description, times = '1'): string {
  const many = unit ?? noun
  return times === '1' ? `per ${singularName(many)}` : `per ${groupThousands(times)} ${many}`
}
function changeText(subject: Description, other: Description, row: ComparedSubjects): ComparisonText | undefined {
  const isSummed = subject.summary === 'sum'
  if (subject.summary !== other.summary || subject.unit !== other.unit) return undefined
  const from = isSummed ? row.otherTotal : row.otherMean
  const to = isSummed ? row.total : row.mean
  const difference = isSummed ? row.difference : row.meanDifference
  const percent = isSummed ? row.percent : row.meanPercent
  if (from === null || to === null || difference === null) return undefined
  return {
    label: { whole: changeLabel(other.label, subject.label) },
    value: `${differenceText(difference, percent, subject)} (from ${subject.text(from)} to ${subject.text(to)})`,
    result: { is: 'change', from, to, difference, percent, other: namedOf(other) },
  }
}

function differenceText(difference: string, percent: string | null, { text }: Description): string {
  if (difference === '0') return 'no change'
  const part = percent === null ? '' : `, ${percent.replace('-', '')} %`
  return difference.startsWith('-')
    ? `a decrease of ${text(difference.slice(1))}${part}`
    : `an increase of ${text(difference)}${part}`
}

/** "Population, change from 2025 estimate to 2026 estimate". */
function changeLabel(from: string, to: string): string {
  const [fromWords, toWords] = [from.split(', '), to.split(', ')]
  const shared = fromWords.findIndex((words, i) => words !== toWords[i])
  if (shared < 1) return `Change from ${from} to ${to}`
  const rest = (words: string[]) => words.slice(shared).join(', ')
  return `${toWords.slice(0, shared).join(', ')}, change from ${rest(fromWords)} to ${rest(toWords)}`
}
