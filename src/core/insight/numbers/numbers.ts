/**
 * Reads the numbers of a text, in digits and in words, one way for figures and for prose. A number that it cannot read
 * comes with the reason.
 */
import { multiplyDecimal, trimDecimal } from '../../decimal.js'
import { nounOf, unitOf, UNIT_OF_SPELLING } from './counted-things.js'
import { AMOUNT_WORDS, isNumberWord, SCALE_VALUES, WORD_VALUES } from './number-words.js'
import { numbersInOtherForms, type UnreadableNumber } from './other-forms.js'

/** The value is an exact decimal. `unit` and `noun` are undefined where none that is known follows. */
export type NumberInText =
  | { at: number; text: string; value: string; unit: string | undefined; noun: string | undefined }
  | UnreadableNumber

/** After and before these words "one" is a pronoun. */
const PRONOUN_BEFORE = /\b(?:no|any|every|each|some|this|that|which|the|another|other)[ -]$/i
const PRONOUN_AFTER =
  /^(?:'s|’s| of (?:the|these|those|them|its|their)\b| (?:another|can|may|might|should|would|could|must|day|side|hand|sees?|finds?)\b)/i

const NUMBER_TOKEN = /(?<![\p{L}\p{N}])k?m[²2](?![\p{L}\p{N}])|\d[\d,.\u00a0\u202f]*|[\p{L}\p{M}'’]+/gu

export function readNumbers(text: string): NumberInText[] {
  return [...numbersInOtherForms(text), ...numbersOfTokens(text)].sort((a, b) => a.at - b.at)
}

type NumberToken = { text: string; at: number; end: number }
/** The text and its tokens: a number takes one token or more. */
type Tokens = { text: string; tokens: readonly NumberToken[] }

function numbersOfTokens(text: string): NumberInText[] {
  const tokens = [...text.matchAll(NUMBER_TOKEN)].map(({ 0: found, index }): NumberToken => ({
    text: found,
    at: index,
    end: index + found.length,
  }))
  const numbers: NumberInText[] = []
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i] as NumberToken
    if (/^\d/.test(token.text)) {
      const { number, next } = numberInDigits({ text, tokens }, i)
      numbers.push(number)
      i = next
    } else if (isNumberWord(lower(token))) {
      const { number, next } = numberInWords({ text, tokens }, i)
      if (number) numbers.push(number)
      i = next
    } else {
      if (AMOUNT_WORDS.has(lower(token)))
        numbers.push({ at: token.at, text: token.text, why: 'an amount that no figure is' })
      i += 1
    }
  }
  return numbers
}

const lower = ({ text }: NumberToken) => text.toLowerCase()

function numberInDigits({ text, tokens }: Tokens, i: number): { number: NumberInText; next: number } {
  const token = tokens[i] as NumberToken
  const digits = token.text.replace(/[,.\u00a0\u202f]+$/, '')
  const end = token.at + digits.length
  const unreadable = (why: string) => ({
    number: { at: token.at, text: text.slice(token.at, end + 12).split(/\s/)[0] ?? digits, why },
    next: i + 1,
  })
  if (
    /[\p{L}\p{M}_$€£₦¥#^/]/u.test(text[token.at - 1] ?? '') ||
    /\.\d?$/.test(text.slice(Math.max(0, token.at - 1), token.at))
  )
    return unreadable('glued to something before it')
  const value = decimalOf(digits)
  if (value === undefined) return unreadable('not a number as figures are written')
  const after = text.slice(end, end + 40)
  if (/^[/^_:]\s?\d|^[²³+]|^\s?[x×*]\s?\d/.test(after)) return unreadable('a fraction, a ratio or a power')
  const glued = /^[\p{L}\p{M}_]+[²2]?/u.exec(after)?.[0]
  if (glued !== undefined && !UNIT_OF_SPELLING.has(glued)) return unreadable('glued to letters')
  const scale = scaleAfter({ text, tokens }, i + 1, end)
  return {
    number: {
      at: token.at,
      text: text.slice(token.at, scale.end),
      value: multiplyDecimal(signBefore(text, token.at) + value, String(scale.by)),
      unit: unitOf(text.slice(scale.end, scale.end + 40)),
      noun: nounOf(text.slice(scale.end, scale.end + 40)),
    },
    next: scale.next,
  }
}

const signBefore = (text: string, at: number) =>
  /(?:^|[\s(["'“‘])[-−–]$/.test(text.slice(Math.max(0, at - 2), at)) ||
  /\b(?:minus|negative) $/i.test(text.slice(Math.max(0, at - 10), at))
    ? '-'
    : ''

/** Accepts groups of three digits (1,234,567), Indian groups (12,34,567) and no-break spaces, but no leading zero. */
function decimalOf(digits: string): string | undefined {
  const [, whole = '', rest = ''] = /^([^.]*)(?:\.(\d+))?$/.exec(digits) ?? []
  const isGrouped =
    /^\d{1,3}(?:,\d{3})+$/.test(whole) ||
    /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(whole) ||
    /^\d{1,3}(?:[\u00a0\u202f]\d{3})+$/.test(whole)
  if (!isGrouped && !/^\d+$/.test(whole)) return undefined
  const plain = whole.replace(/\D/g, '')
  if (plain.length > 1 && plain.startsWith('0')) return undefined
  return trimDecimal(rest === '' ? plain : `${plain}.${rest}`)
}

/** "1.5 million" is one number of two tokens. */
function scaleAfter({ text, tokens }: Tokens, from: number, end: number): { by: bigint; next: number; end: number } {
  let scale = { by: 1n, next: from, end }
  for (;;) {
    const token = tokens[scale.next]
    const by = token && SCALE_VALUES.get(lower(token))
    if (!token || by === undefined || !/^[ -]$/.test(text.slice(scale.end, token.at))) return scale
    scale = { by: scale.by * by, next: scale.next + 1, end: token.end }
  }
}

/** `number` is undefined where the word is the pronoun "one". */
function numberInWords({ text, tokens }: Tokens, from: number): { number: NumberInText | undefined; next: number } {
  const { words, at, end, next } = numberWordsFrom({ text, tokens }, from)
  const [word] = words
  if (words.length === 1 && word === 'one' && isPronoun(text, at, end)) return { number: undefined, next }
  const value = valueOfWords(words)
  const number = { at, text: text.slice(at, end) }
  if (value === undefined) return { number: { ...number, why: 'number words that make no number' }, next }
  const sign = value === 0n ? '' : signBefore(text, at)
  const after = text.slice(end, end + 40)
  return { number: { ...number, value: `${sign}${value}`, unit: unitOf(after), noun: nounOf(after) }, next }
}

/** Collects number words that a space, a hyphen, or the "and" of "one hundred and five" joins. */
function numberWordsFrom(
  { text, tokens }: Tokens,
  from: number,
): { words: string[]; at: number; end: number; next: number } {
  const words: string[] = []
  const at = tokens[from]?.at ?? 0
  let end = at
  let next = from
  for (let token = tokens[next]; token; token = tokens[next]) {
    const word = lower(token)
    const after = tokens[next + 1]
    const isJoined = word === 'and' && after && SCALE_VALUES.has(words.at(-1) ?? '') && WORD_VALUES.has(lower(after))
    if (words.length > 0 && !/^(?: |-)$/.test(text.slice(end, token.at))) break
    if (!isNumberWord(word) && !isJoined) break
    if (isNumberWord(word)) words.push(word)
    end = token.end
    next += 1
  }
  return { words, at, end, next }
}

const isPronoun = (text: string, at: number, end: number) =>
  PRONOUN_BEFORE.test(text.slice(Math.max(0, at - 10), at)) || PRONOUN_AFTER.test(text.slice(end, end + 12))

/** Returns undefined where the words cannot follow each other in one number. */
function valueOfWords(words: readonly string[]): bigint | undefined {
  let total = 0n
  let part = 0n
  let last = 1_000n
  for (const word of words) {
    const scale = SCALE_VALUES.get(word)
    const small = WORD_VALUES.get(word)
    if (scale === 100n) {
      if (part === 0n || part > 9n) return undefined
      part *= 100n
      last = 100n
    } else if (scale !== undefined) {
      if (part === 0n || (total > 0n && total % (scale * 1000n) !== 0n && total < scale)) return undefined
      total += part * scale
      part = 0n
      last = 1_000n
    } else if (small !== undefined) {
      const size = small >= 20n ? 10n : 1n
      if (last <= size || (last === 10n && small > 9n)) return undefined
      part += small
      last = size
    }
  }
  return total + part
}
