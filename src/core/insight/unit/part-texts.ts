/** Writes the figures of the parts of a unit as a person reads them. */
import { groupThousands } from '../../decimal.js'
import { listText, percentText } from '../figures/figure-text.js'
import { boundsOf } from '../operations/conditions.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import type { Operation, Test } from '../reading/reading.js'
import { amountText, coverageText } from './figure.js'
import { nameOf, type Read, type UnitTarget, type UnitFact } from './scope.js'
import type { PartTotal, UnitPath } from './statements.js'

export type ByOperation = Extract<Operation, { op: 'by' }>

/** The answer names this many parts, and the table lists more. */
export const NAMED = 10
const NAMED_TOGETHER = 3

export const DEPTHS = { state: 1, lga: 2, ward: 3 } as const
export const TITLES = { state: 'state', lga: 'LGA', ward: 'ward' } as const

/** It ranks parts by the total of an attribute, or by a figure of the single frames of each part. */
export type RankedFigure = {
  target: UnitTarget
  unit: keyof typeof DEPTHS
  /** Undefined for the frames and the land of the index. */
  fact: UnitFact | undefined
  label: string
  words: string
  statistic: string
  text: (decimal: string) => string
  rows: (read: Read) => Promise<PartTotal[]>
}

export const pathOf = ({ state, lga, ward }: PartTotal): UnitPath => [state, lga, ward].flatMap((name) => name ?? [])

export const valueOf = (measured: RankedFigure, row: PartTotal): string =>
  (row.class !== null
    ? `${row.class} (${percentText(row.classFrames ?? 0, row.recorded)} %)`
    : measured.text(row.number ?? '0')) + (measured.fact ? coverageText(measured.fact, row) : '')

export function labelOfParts(
  { label, words, unit, fact, target }: RankedFigure,
  { order, n, having }: ByOperation,
): string {
  const by = `by ${TITLES[unit]}`
  const way =
    having !== undefined
      ? `${TITLES[unit]}s ${testText(having, fact)}`
      : order === undefined
        ? ''
        : n === 1
          ? order
          : n === undefined
            ? `${order} first`
            : `${NUMBER_WORDS[n] ?? n} ${order}`
  return [label, [words, by].filter((part) => part !== '').join(' '), way, target.name ?? '']
    .filter((part) => part !== '')
    .join(', ')
}

/** Names above the name tell two parts of one name apart. */
export function nameOfPart(rows: readonly PartTotal[], row: PartTotal): string {
  const path = pathOf(row)
  const isShared = rows.filter((other) => pathOf(other).at(-1) === path.at(-1)).length > 1
  return isShared ? `${nameOf(path)} of ${path.slice(0, -1).toReversed().join(', ')}` : nameOf(path)
}

const RANKS = { highest: 'fromTop', lowest: 'fromBottom' } as const

function namedByRank(ranked: readonly PartTotal[], { n, order = 'highest' }: ByOperation): readonly PartTotal[] {
  const rank = RANKS[order]
  const [first] = ranked
  if (!first) return []
  return n === 1 ? ranked.filter((row) => row[rank] === first[rank]) : ranked.slice(0, Math.min(n ?? NAMED, NAMED))
}

/** The answer names the first of these parts, and counts others that tie or pass too. */
export function namedParts(rows: readonly PartTotal[], operation: ByOperation): readonly PartTotal[] {
  const { having } = operation
  if (!having) return namedByRank(rows, operation)
  const passing = rows.filter((row) => passes(row, having))
  return passing.length === rows.length ? [] : passing
}

export function rankedText(measured: RankedFigure, ranked: readonly PartTotal[], operation: ByOperation): string {
  const { n, order = 'highest' } = operation
  const rank = RANKS[order]
  const [first] = ranked
  if (!first) return ''
  const named = namedByRank(ranked, operation)
  if (n === 1) {
    const names = named.map((row) => nameOfPart(ranked, row))
    const listed = names.length <= NAMED_TOGETHER ? listText(names) : `${names[0]} and ${names.length - 1} others`
    return `${valueOf(measured, first)} in ${listed}`.replace(/^(.*?)(, recorded on .* frames)( in .*)$/, '$1$3$2')
  }
  const list = named.map((row) => `${nameOfPart(ranked, row)} (${valueOf(measured, row)})`).join(', ')
  return list + othersText(measured, ranked, { named, n, rank })
}

type NamedParts = { named: readonly PartTotal[]; n: number | undefined; rank: 'fromTop' | 'fromBottom' }

/** A part that shares the last rank is named nowhere, so it is counted. */
function othersText(measured: RankedFigure, ranked: readonly PartTotal[], { named, n, rank }: NamedParts): string {
  const unnamed = ranked.slice(named.length)
  const last = named.at(-1)
  if (unnamed.length === 0 || !last) return ''
  if (n === undefined || n > named.length) return ` and ${unnamed.length} more`
  const tied = unnamed.filter((row) => row[rank] === last[rank]).length
  return tied === 0 ? '' : `; ${tied} more ${tied === 1 ? 'has' : 'have'} ${measured.text(last.number ?? '0')}`
}

export const byRecorded = (rows: readonly PartTotal[]): PartTotal[] => rows.toSorted((a, b) => b.recorded - a.recorded)

export function modesText(measured: RankedFigure, rows: readonly PartTotal[]): string {
  const sorted = byRecorded(rows)
  const list = sorted.slice(0, NAMED).map((row) => `${nameOfPart(rows, row)} (${valueOf(measured, row)})`)
  const more = sorted.length > list.length ? ` and ${sorted.length - list.length} more` : ''
  return list.join(', ') + more
}

export function passes({ number }: PartTotal, test: Test): boolean {
  if (number === null) return false
  const [above, atLeast, below, atMost] = boundsOf(test).map(Number)
  const value = Number(number)
  return value > (above ?? 0) && value >= (atLeast ?? 0) && value < (below ?? 0) && value <= (atMost ?? 0)
}

export function passingText({ unit }: RankedFigure, rows: readonly PartTotal[], test: Test): string {
  const passing = rows.filter((row) => passes(row, test))
  const names = passing.slice(0, NAMED).map((row) => nameOfPart(rows, row))
  const more = passing.length > names.length ? ` and ${passing.length - names.length} more` : ''
  const named = names.length === 0 || passing.length === rows.length ? '' : `: ${names.join('; ')}${more}`
  return `${passing.length} of ${rows.length} ${TITLES[unit]}s${named}`
}

function testText(test: Test, fact: UnitFact | undefined): string {
  if (test.test === 'none') return 'that have none'
  if (test.test === 'any') return 'that have any'
  if (test.test !== 'bounds') return ''
  const text = (bound: string) => (fact ? amountText(fact, bound) : groupThousands(bound))
  const { above, atLeast, below, atMost } = test
  return [
    above === undefined ? '' : `above ${text(above)}`,
    atLeast === undefined ? '' : `of at least ${text(atLeast)}`,
    below === undefined ? '' : `below ${text(below)}`,
    atMost === undefined ? '' : `of at most ${text(atMost)}`,
  ]
    .filter((part) => part !== '')
    .join(' and ')
}
