/** Refuses numbers in forms that no figure has: digits of other scripts, Roman numerals, letters apart. */
import { nounOf, unitOf } from './counted-things.js'
import { AMOUNT_WORDS, isNumberWord, ROMAN } from './number-words.js'

const ODD_CHARACTER = /[\p{Cf}\p{Cs}\p{Co}]|\p{Nl}|\p{No}|\p{Nd}|[零一二三四五六七八九十百千万萬億亿兆两兩]/gu
/** In small letters, "mix", "did" and "cm" are words: these numerals have the letters i, v and x alone. */
const SMALL_ROMAN = '(?=[ivx]{2})x{0,3}(?:ix|iv|v?i{0,3})'
const ROMANS = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}])(?<!\\d )(?:${ROMAN.source}|${SMALL_ROMAN})(?![\\p{L}\\p{N}\\p{M}’'])`,
  'gu',
)
/** "s e v e n" and "s.e.v.e.n" */
const LETTERS_APART = /(?<![\p{L}\p{N}])\p{L}(?:([ .\u00a0-])\p{L})(?:\1\p{L})+(?![\p{L}\p{N}])/gu
const WORD = /[\p{L}\p{M}]+/gu

/** A number that the check cannot read, with the reason. */
export type UnreadableNumber = { at: number; text: string; why: string }

export const numbersInOtherForms = (text: string): UnreadableNumber[] => [
  ...oddCharacters(text),
  ...[...text.matchAll(ROMANS)]
    .filter((found) => !isPartOfName(text, found))
    .map((found) => numberAt(found, 'a Roman numeral')),
  ...[...text.matchAll(LETTERS_APART)]
    .filter(([letters]) => isWordOfNumber(letters.replace(/\P{L}/gu, '')))
    .map((found) => numberAt(found, 'a number word with its letters apart')),
  ...[...text.matchAll(WORD)]
    .filter(([word]) => isDisguised(word))
    .map((found) => numberAt(found, 'a word with letters of another script or form')),
]

/** Wards have names such as "Garki II". A numeral that counts something comes behind another word, or before a noun. */
function isPartOfName(text: string, { 0: numeral, index }: RegExpExecArray): boolean {
  const after = text.slice(index + numeral.length, index + numeral.length + 40)
  if (unitOf(after) !== undefined || nounOf(after) !== undefined) return false
  return /\p{Lu}[\p{L}\p{M}'’-]+ $/u.test(text.slice(Math.max(0, index - 40), index))
}

const numberAt = ({ 0: text, index }: RegExpExecArray, why: string): UnreadableNumber => ({ at: index, text, why })

/** Refuses digits of other scripts, number forms such as ½, and invisible characters. */
function oddCharacters(text: string): UnreadableNumber[] {
  return [...text.matchAll(ODD_CHARACTER)].flatMap((found): UnreadableNumber[] => {
    const { 0: character, index } = found
    if (/[0-9]/.test(character)) return []
    if ((character === '²' || character === '³') && /(?:k?m|mile)$/.test(text.slice(Math.max(0, index - 4), index)))
      return []
    const isDigit = /[\p{N}\p{L}]/u.test(character)
    return [numberAt(found, isDigit ? 'digits of another script or form' : 'an invisible character')]
  })
}

const isWordOfNumber = (word: string) => isNumberWord(word.toLowerCase()) || AMOUNT_WORDS.has(word.toLowerCase())

/** "thrее" has two letters of Cyrillic, and "ｔｈｒｅｅ" wide ones. */
function isDisguised(word: string): boolean {
  if (/\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)) return true
  if (/^[a-z]*$/i.test(word)) return false
  const plain = word.normalize('NFKD').replace(/\p{M}+/gu, '')
  return plain !== word && isWordOfNumber(plain)
}
