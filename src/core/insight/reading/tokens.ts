/** The words of a question as tokens, and the names that they may be. */
import type { UnitLevel } from '../../place.js'
import { placeName } from '../../place-name.js'
import type { Catalogue } from './catalogue.js'
import type { Edge } from './chart.js'
import { isArticle, isFreeWord } from './cues.js'
import type { NamedPlace } from './reading.js'
import { comparable } from './spelling.js'
import type { Topic } from './topic.js'
import type { Word } from './words.js'

/**
 * A word of the question; a mark is a word of its own. `near`: it is read as the word, for a slip of the keyboard.
 * `isGuess`: another word is spelled as nearly.
 */
export type Token = {
  word: string
  text: string
  before: string
  isFree: boolean
  at: number
  near?: string
  isGuess?: true
}
export type ClassNamed = { topic: Topic; value: string }
/** The levels that have units of the name, the largest first. A zone is no unit of the index. */
export type PlaceNamed = NamedPlace & { levels: { level: UnitLevel; names: string[] }[] }

export const NAMES: ReadonlySet<string> = new Set([
  'place', 'series', 'category', 'features', 'property', 'flag', 'kind', 'class', 'feature-class',
]) // prettier-ignore
/** The topics that a word names. */
export const topicsOf = ({ category, value }: Pick<Edge, 'category' | 'value'>): Topic[] =>
  category === 'place'
    ? []
    : category === 'class' || category === 'feature-class'
      ? [(value as ClassNamed).topic]
      : Array.isArray(value)
        ? (value as Topic[])
        : [value as Topic]

/** "Without an estimate" is no "without". */
const OF_RECORD = /^(estimates?|values?|data|figures?)$/
const isDenied = (words: readonly Word[], at: number) =>
  words.slice(Math.max(0, at - 5), at).some(({ word }) => /^(without|lack|lacks|lacking|no|missing|null)$/.test(word))

const MARKS = { weak: ',', strong: ';' } as const

export function tokensOf(catalogue: Catalogue, words: readonly Word[]): Token[] {
  const compared = comparable(catalogue, words)
  return words.flatMap(({ text, mark, isSlashed }, at): Token[] => {
    const { word = '', isGuess = false, isNear = false } = compared[at] ?? {}
    const isAsked = /^whom?$/.test(word) && (at === 0 || mark !== '' || words[at - 1]?.word === 'and')
    const isNow = word === 'yet' && words[at + 1]?.word !== 'to'
    const isPolite = /^(could|would|may|might)$/.test(word) && [words[at - 1], words[at + 1]].some((each) => /^(you|i|we)$/.test(each?.word ?? '')) // prettier-ignore
    const own: Token = {
      word,
      text,
      before: words[at - 1]?.word ?? '',
      isFree: (isFreeWord(word) && !isAsked && !(OF_RECORD.test(word) && isDenied(words, at))) || isPolite || isNow,
      at,
      ...(isNear && { near: catalogue.slips?.has(words[at]?.word ?? '') ? placeName(word.toUpperCase()) : word }),
      ...(isGuess && { isGuess }),
    }
    const isMarked = mark !== '' && !isSlashed && at > 0
    const sign = isMarked ? [{ word: MARKS[mark], text: MARKS[mark], before: '', isFree: false, at: -1 }] : []
    return isArticle(word) ? sign : [...sign, own]
  })
}
