/** Computes the ratio of two subjects, and the change from one to the other. */
import { subjectsCompared, type ComparedSubjects } from '../../db/statements.js'
import type { Facet } from '../figures/facets.js'
import { facetOf, type FigureCall, type FigureText } from './facet.js'
import type { Result } from '../figures/typed.js'
import { amountText, describe, namedOf, singularName, type Description } from './subject.js'

export async function comparisonFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  const other = figure.other && (await describe(reads, figure.other))
  if (!other) return undefined
  const [row] = await reads.rows(subjectsCompared, frameIds, ...subject.args, ...other.args)
  if (!row || row.recorded === 0) return undefined
  const text = figure.statistic === 'per' ? ratioText(subject, other, row) : changeText(subject, other, row)
  return text && facetOf(call, { ...text, frames: row.recorded })
}

type ComparisonText = Pick<FigureText, 'label' | 'value' | 'result'>

/** Only totals have a ratio: an average of averages would be no figure of these frames. */
function ratioText(subject: Description, other: Description, row: ComparedSubjects): ComparisonText | undefined {
  const { ratio, total, otherTotal } = row
  if (subject.summary !== 'sum' || other.summary !== 'sum' || total === null || otherTotal === null) return undefined
  const one = unitOfOne(other)
  const totals = `${amountText(subject, total)}, ${amountText(other, otherTotal)}`
  const label = `per ${one}`
  const result: Result = { is: 'ratio', number: ratio, total, other: namedOf(other), otherTotal }
  return ratio === null
    ? { label, value: `not defined (${totals})`, result }
    : { label, value: `${amountText(subject, ratio)} per ${one} (${totals})`, result }
}

const unitOfOne = ({ unit, noun }: Description) => singularName(unit ?? noun)

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
