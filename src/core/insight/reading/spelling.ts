/** The spelling of words: slips of the keyboard, plurals of abbreviations, and numbers. */
import { SCALE_VALUES, valueOfWords, WORD_VALUES } from '../../numbers/index.js'
import type { Catalogue } from './catalogue.js'
import { type Comparable, isKnownWord } from './names.js'
import { correctionOf } from './slips.js'
import type { Word } from './words.js'

/** "5,000", "5k", "850m" and "3rd". */
export function numberIn(word: string): { number: string; unit: string } | undefined {
  const found = /^(\d+(?:[.,]\d+)*)\s?(%|[a-z][a-z0-9]*)?$/.exec(word)
  const plain = (found?.[1] ?? '').replace(/,(?=\d{3}(?:\D|$))/g, '')
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined
  const unit = found?.[2] ?? ''
  return unit === 'k' && !plain.includes('.') ? { number: `${plain}000`, unit: '' } : { number: plain, unit }
}

/** "5,000", "five thousand", "5 thousand". */
export function numberAt(words: readonly string[], at: number): { value: string; length: number } | undefined {
  const isWord = (word = '') => WORD_VALUES.has(word) || SCALE_VALUES.has(word)
  const digits = numberIn(words[at] ?? '')
  let end = at
  while (
    isWord(words[end]) ||
    (words[end] === 'and' && end > at && SCALE_VALUES.has(words[end - 1] ?? '') && isWord(words[end + 1]))
  )
    end++
  if (end > at) return { value: valueOfWords(words.slice(at, end).join(' ')), length: end - at }
  if (!digits || digits.unit !== '') return undefined
  const scale = SCALE_VALUES.get(words[at + 1] ?? '')
  if (scale === undefined) return { value: digits.number, length: 1 }
  return digits.number.includes('.') ? undefined : { value: String(BigInt(digits.number) * scale), length: 2 }
}

/** The words of a question as they are spelled in the catalogue. */
export function comparable(
  { names, stemOf, units, slips, placeCues }: Catalogue,
  words: readonly Word[],
): Comparable[] {
  const ofUnits = new Set([...units.keys(), ...placeCues.keys()].flatMap((phrase) => phrase.split(' ')))
  return words.map(({ text, word, mark, isSlashed }, i) => {
    const isKnown = ofUnits.has(word) || isKnownWord(names, stemOf, word)
    // The plural of an abbreviation has no stem: "PHCs".
    const one = word.replace(/s$/, '')
    const isOfMany = !isKnown && names.stems.has(stemOf(one))
    const ofPlace = slips?.get(word)
    const found = isKnown || isOfMany ? undefined : ofPlace === undefined ? correctionOf(word, names.vocabulary) : { word: ofPlace, isGuess: false } // prettier-ignore
    const plain = isOfMany ? one : (found?.word ?? word)
    const isBroken = i > 0 && mark !== '' && !isSlashed
    return {
      word: plain,
      stem: stemOf(plain),
      isBroken,
      isGuess: found?.isGuess === true,
      isNear: found?.isGuess === false,
      isCapital: /^\p{Lu}/u.test(text),
    }
  })
}
