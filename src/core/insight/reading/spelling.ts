/** The spelling of words: slips of the keyboard, plurals of abbreviations, and numbers. */
import { unitOfMeasureNamed } from '../../numbers/index.js'
import type { Catalogue } from './catalogue.js'
import { isWordOfLanguage } from './cues.js'
import { type Comparable, correctionOf } from './names.js'
import { COUNT, type Word } from './words.js'

/** "5,000", "5k", "850m" and "3rd". */
export function numberIn(word: string): { number: string; unit: string } | undefined {
  const found = /^(\d+(?:[.,]\d+)*)\s?(%|[a-z][a-z0-9]*)?$/.exec(word)
  const plain = (found?.[1] ?? '').replace(/,(?=\d{3}(?:\D|$))/g, '')
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined
  const unit = found?.[2] ?? ''
  return unit === 'k' && !plain.includes('.') ? { number: `${plain}000`, unit: '' } : { number: plain, unit }
}

/** The words of a question as they are spelled in the catalogue. */
export function comparable({ names, stemOf, units }: Catalogue, words: readonly Word[]): Comparable[] {
  const ofUnits = new Set([...units.keys()].flatMap((phrase) => phrase.split(' ')))
  return words.map(({ text, word, mark, isSlashed }, i) => {
    const isKnown =
      isWordOfLanguage(word) ||
      unitOfMeasureNamed(word) !== undefined ||
      ofUnits.has(word) ||
      word === COUNT ||
      names.stems.has(stemOf(word))
    // The plural of an abbreviation has no stem: "PHCs".
    const one = word.replace(/s$/, '')
    const isOfMany = !isKnown && names.stems.has(stemOf(one))
    const found = isKnown || isOfMany ? undefined : correctionOf(word, names.vocabulary)
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
