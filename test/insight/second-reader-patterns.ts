/** Patterns of the numbers, bounds and lists that sentences hold. */
import type { Facet } from '../../src/core/figures/facets.js'
import type { Named, NamedTest, TypedFigure } from '../../src/core/figures/typed.js'

export const boundsIn = (test: NamedTest['test']): [words: readonly string[], value: string][] =>
  Object.entries(test).flatMap(([bound, value]) => (BOUNDS[bound] === undefined ? [] : [[BOUNDS[bound], value]]))

const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  above: ['above ', 'more than '],
  atLeast: ['at least '],
  below: ['below ', 'fewer than ', 'less than '],
  atMost: ['at most ', 'within '],
}

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** The number as a pattern, its thousands grouped or not. */
export const num = (number: string | number) => {
  const [whole = '', rest] = String(number).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',?')
  return `(?<![\\d,.])${escaped(grouped).replaceAll(',\\?', ',?')}${rest === undefined ? '' : `\\.${rest.replace(/0+$/, '')}0*`}(?![\\d]|,\\d|\\.\\d)`
}

/** A figure of the algebra is made as that of a name is. */
export function statisticOf({ statistic, figure }: Facet['source']): string {
  if (!figure || statistic === 'interval') return statistic
  const { of, op } = figure
  return op === 'ratio' ? 'per' : (op ?? of.how ?? 'count')
}

/** A sentence names five of a longer list. */
export const SAID = 5
export const isCutShort = (listed: number, more: number) => listed > SAID && (more > 0 || listed > 7)

export const allFrames = (of: number) => (of === 2 ? 'both frames' : `all ${num(of)} frames`)
/** "3 of these 9 frames", "none of the 12 frames", "all 9 frames" */
export const partPattern = ({ count, of }: { count: number; of: number }) =>
  count === of && of > 0
    ? allFrames(of)
    : `${count === 0 ? '(?:none|no)' : num(count)} of (?:these |the )${num(of)} frames`

export const othersPattern = ({ more, tied }: { more: number; tied?: string }) =>
  tied === undefined ? (more > 0 ? `.* and ${more} more` : '') : `.*; ${more} more (?:has|have) ${num(tied)}`
export const silentPattern = ({ silent, without = 0, all }: { silent: number; without?: number; all: number }) =>
  (without === 0 ? '' : `.*; ${without} of ${all} .* ha(?:s|ve) no `) +
  (silent === without ? '' : `.*; ${silent - without} of ${all} .* records? nothing`)

export const percentOf = (part: number, whole: number) => String(Math.round((part * 1000) / whole + 1e-9) / 10)

/** The number, or the whole number that is told in its place. */
export const told = (statistic: string, number: string) =>
  `(?:${num(number)}|${num(wholeOf(statistic, number) ?? number)})`
export const wholesOf = (statistic: string, result: TypedFigure['result']): string[] => {
  const ranked = 'ranked' in result ? (result.ranked ?? []).map(({ number }) => number) : []
  const own = 'number' in result ? [result.number ?? ''] : []
  return [...ranked, ...own].flatMap((number) => wholeOf(statistic, number) ?? []).map(String)
}

export const plainNumber = (text: string) =>
  text
    .replaceAll(',', '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

/** An average of a hundred things or more is told in whole numbers. */
const wholeOf = (statistic: string, number: string): number | undefined =>
  /^(mean|median|per|per_km2)$/.test(statistic) && Number(number) >= 100 ? Math.round(Number(number)) : undefined

export function amountPatterns(
  { typed, source: { statistic } }: Pick<Facet, 'typed' | 'source'>,
  number: string,
): RegExp[] {
  const n = told(statistic, number)
  const none = number === '0' ? '\\bno\\b' : '^$'
  return [
    typed.named.type === 'unit' ? `lies? in ${n} ` : '^$',
    `(?:has|have|is|are) ${n}`,
    `cover ${n}|covers ${n}|These ${n} frames cover|^This frame covers`,
    `${n} .*against|against ${n}|and ${n} |are of ${n} frames?\\.`,
    none,
  ].map((each) => new RegExp(each, 'i'))
}

const NUMBER = /(?<![\p{L}\d])\d[\d,]*(?:\.\d+)?/gu
export const numbersIn = (sentence: string) =>
  (sentence.match(NUMBER) ?? []).map((each) => plainNumber(each.replace(/,$/, '')))

/** In the plural, and in the singular behind "at most 1". */
export const namesOf = ({ label, noun, plural }: Named): string[] =>
  [label.split(', ')[0], noun, plural]
    .flatMap((name) => name?.toLowerCase() ?? [])
    .flatMap((name) => [name, name.replace(/s$/, '')])

/** Groups have intervals of draws alone. */
export const isOfDraws = ({ result }: TypedFigure) =>
  result.is === 'interval' ? result.isOfDraws : result.is === 'groups' && result.ranked.some(({ lower }) => lower)
