/**
 * Reads the numbers of a text, in digits and in words, one way for figures and for prose. A number that it cannot read
 * comes with the reason.
 */
import { multiplyDecimal, trimDecimal } from '../decimal.js'
import { nounOf, countedUnit, UNIT_OF_SPELLING } from './counted-things.js'
import { AMOUNT_WORDS, SCALE_VALUES, WORD_VALUES } from './number-words.js'

/** The value is an exact decimal. `unit` and `noun` are undefined where none that is known follows. */
export type ReadNumber = { at: number; text: string; value: string; unit: string | undefined; noun: string | undefined }
export type NumberInText = ReadNumber | { at: number; text: string; why: string }

const anyOf = (words: Iterable<string>) => `(?:${[...words].join('|')})`
const SCALE = anyOf(SCALE_VALUES.keys())
const NUMBER_WORD = anyOf([...WORD_VALUES.keys(), ...SCALE_VALUES.keys()])
const whole = (pattern: string) => String.raw`(?<![\p{L}\p{M}\p{N}'’])${pattern}(?![\p{L}\p{M}])`
/** The last alternative finds digits of other scripts, number forms such as ½, and invisible characters. */
const TEXT_NUMBER = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])k?m2(?![\p{L}\p{N}])`,
    String.raw`(?<digits>\d(?:[\d,.\u00a0\u202f]*\d)?)(?<scales>(?:[ -]${SCALE}(?![\p{L}\p{M}]))*)`,
    whole(`(?<words>${NUMBER_WORD}(?:[ -]${NUMBER_WORD}|(?<=${SCALE}) and ${NUMBER_WORD})*)`),
    whole(`(?<amount>${anyOf(AMOUNT_WORDS)})`),
    whole('(?<roman>[ivx]{2,})'),
    String.raw`(?<odd>(?![0-9²³])\p{N}|(?<!m|mile)[²³]|\p{Cf})`,
  ].join('|'),
  'giu',
)

export const readNumbers = (text: string): NumberInText[] =>
  [...text.matchAll(TEXT_NUMBER)].flatMap(({ 0: found, index: at, groups = {} }): NumberInText[] => {
    const { digits, scales = '', words, amount, roman, odd } = groups
    const end = at + found.length
    const after = text.slice(end, end + 40)
    const read = (value: string) => [
      { at, text: found, value: signBefore(text, at, value), unit: countedUnit(after), noun: nounOf(after) },
    ]
    if (amount !== undefined && isUnitOfTime(text, at, amount)) return []
    if (roman !== undefined && !ROMAN.test(roman)) return []
    if ((amount ?? roman) !== undefined) return [{ at, text: found, why: 'an amount that no figure is' }]
    if (odd !== undefined) return [{ at, text: found, why: 'a digit of another script or form, or hidden' }]
    if (words !== undefined)
      return words.toLowerCase() === 'one' && isPronoun(text, at, end) ? [] : read(valueOfWords(words))
    if (digits === undefined) return []
    const why = whyUnreadable(text, at, digits)
    const value = decimalOf(digits)
    if (why !== undefined || value === undefined)
      return [
        { at, text: text.slice(at, end + 12).split(/\s/)[0] ?? '', why: why ?? 'not a number as figures are written' },
      ]
    return read(multiplyDecimal(value, scales === '' ? '1' : valueOfWords(scales)))
  })

/** A single letter is an initial, and others make words: MIX, CD. */
const ROMAN = /^X{0,3}(?:IX|IV|V?I{0,3})$/
/** "30 second", "metres per second". Without them, "second" is an ordinal as "third" is. */
const BEFORE_UNIT = new RegExp(`(?:\\d|\\bper|\\b${NUMBER_WORD})[ -]$`, 'i')
const isUnitOfTime = (text: string, at: number, word: string) =>
  /^second$/i.test(word) && BEFORE_UNIT.test(text.slice(Math.max(0, at - 12), at))

function whyUnreadable(text: string, at: number, digits: string): string | undefined {
  const after = text.slice(at + digits.length, at + digits.length + 40)
  if (/[\p{L}\p{M}_$€£₦¥#^/.]/u.test(text[at - 1] ?? '')) return 'glued to something before it'
  if (/^[/^_:]\s?\d|^[²³+]|^\s?[x×*]\s?\d/.test(after)) return 'a fraction, a ratio or a power'
  const glued = /^[\p{L}\p{M}_]+[²2]?/u.exec(after)?.[0]
  return glued === undefined || UNIT_OF_SPELLING.has(glued) ? undefined : 'glued to letters'
}

function signBefore(text: string, at: number, value: string): string {
  const isNegative = /(?:(?:^|[\s(["'“‘])[-−–]|\b(?:minus|negative) )$/i.test(text.slice(Math.max(0, at - 10), at))
  return isNegative && value !== '0' ? `-${value}` : value
}

/** Accepts groups of three digits (1,234,567), Indian groups (12,34,567) and no-break spaces, but no leading zero. */
const WRITTEN_NUMBER =
  /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|[1-9]\d{0,2}(?:[\u00a0\u202f]\d{3})+)(?:\.\d+)?$/
const decimalOf = (digits: string): string | undefined =>
  WRITTEN_NUMBER.test(digits) ? trimDecimal(digits.replace(/[,\u00a0\u202f]/g, '')) : undefined

/** After and before these words "one" is a pronoun. */
const PRONOUN_BEFORE = /\b(?:no|any|every|each|some|this|that|which|the|another|other)[ -]$/i
const PRONOUN_AFTER =
  /^(?:'s|’s| of (?:the|these|those|them|its|their)\b| (?:another|can|may|might|should|would|could|must|day|side|hand|sees?|finds?)\b)/i

const isPronoun = (text: string, at: number, end: number) =>
  PRONOUN_BEFORE.test(text.slice(Math.max(0, at - 10), at)) || PRONOUN_AFTER.test(text.slice(end, end + 12))

/** "One thousand two hundred and thirty-four" is 1234, and "hundred" alone 100. */
export function valueOfWords(words: string): string {
  let [total, part] = [0n, 0n]
  for (const word of words.toLowerCase().split(/[ -]/)) {
    const scale = SCALE_VALUES.get(word)
    part = scale === undefined ? part + (WORD_VALUES.get(word) ?? 0n) : (part || 1n) * scale
    if (scale !== undefined && scale > 100n) [total, part] = [total + part, 0n]
  }
  return String(total + part)
}

const YEARS = /\b(?:19|20)\d\d\b/g
export const yearsIn = (text: string): number[] => [...new Set([...text.matchAll(YEARS)].map(([year]) => Number(year)))]
/** Attributes whose labels are alike without their years are of one series. */
export const withoutYears = (label: string): string => label.replaceAll(YEARS, '')
