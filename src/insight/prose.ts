/** Checks the words that a model writes around its slots: they hold no number, no link and no markup. */
import { hasRomanNumeral, numberWordsIn } from './number-words.js'

const VALUE_MAX = 300

/** Allows the letters of English and of Nigerian names. */
const TYPED = /^(?:[ \nA-Za-zÀ-ÖØ-öø-ɏɓɗɛɔəɨʉŋɲɣʋḀ-ỿ.,;:!?()'"‘’“”\-–—…/&]|[\u0300-\u036f])$/u
const LINK = /:\/\/|www\.|mailto:|\p{L}{2}\.\p{L}{2}/iu
const ENTITY = /&#?\w+;/
const RULE = /^ *-{2,} *$/m

/** Takes the prose with {} in place of each slot, and the pieces between the slots. The model reads these sentences. */
export function proseFaults(masked: string, pieces: readonly string[]): string[] {
  const wrong = [...new Set(pieces.join(''))].filter((character) => !TYPED.test(character))
  const digits = wrong.some((character) => /\p{N}/u.test(character))
  const braces = wrong.some((character) => character === '{' || character === '}')
  const others = wrong.filter((character) => !/[\p{N}{}]/u.test(character))
  return [
    ...(digits || hasRomanNumeral(masked) ? ['There is a number outside the slots: use a slot, or leave it out.'] : []),
    ...(braces ? ['There is a brace that is no slot: a slot is written {F1}.'] : []),
    ...(others.length > 0 ? [`These characters are refused: ${others.slice(0, 5).map(codePointOf).join(' ')}.`] : []),
    ...numberWordsIn(masked).map((word) => `"${word}" is a number word: use a slot, or leave it out.`),
    ...(LINK.test(masked) || ENTITY.test(masked) ? ['Links and entities are refused.'] : []),
    ...(RULE.test(masked) ? ['Rules of dashes are refused.'] : []),
  ]
}

const codePointOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Labels and values come from datasets: none may act on a page that shows the narrative. */
export const isQuotable = (value: string) =>
  value.trim() !== '' &&
  value.length <= VALUE_MAX &&
  !/[\p{C}\p{Zl}\p{Zp}]|<[a-z!/?]|:\/\/|www\.|&#?\w+;|!\[|\]\(|[`|]/iu.test(value)
