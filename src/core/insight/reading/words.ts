/** The words of a question, with their places in it. */
import { withNumbers } from './counted-words.js'

/**
 * `text` is the spelling of the question; `word` is its plain form; `mark` stands between the word before and this.
 * `isSlashed`: that is a slash or a bracket, which a name may have in it: "Mill/Weir", "Kofa (North)".
 */
export type Word = { text: string; word: string; mark: Mark; isSlashed: boolean }
/** A comma, a colon or a dash is a weak break; the end of a sentence is a strong one. */
type Mark = '' | 'weak' | 'strong'

/** A question has at most this many words that the reading looks at. */
const WORDS_MAX = 400

/** Lower case, without accents: the database folds the names of the catalogue in the same way. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()

/** A number keeps its separators, a word its apostrophes. */
const WORD = /[<>]=?(?=\s?\d)|\d+(?:[.,]\d+)*(?:\s?%)?[\p{L}\d]*|\p{L}[\p{L}\p{M}\d]*(?:['’][\p{L}\p{M}]+)*|%/gu
/** In French and Portuguese a word may begin with one letter and an apostrophe: "d'habitants". */
const ELIDED = /^(?:d|l|qu|n|s|j|c|m|t)['’](?=\p{L}{2})/iu

/** The signs of bounds have words. "At least" is one word here: cues.ts has it. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['>', 'above'],
  ['>=', 'atleast'],
  ['<', 'below'],
  ['<=', 'atmost'],
])

/** "1) people 2) schools". */
const LIST_MARKER = /(^|[\s,;:])\(?(?:\d{1,2}|[a-f])\)(?=\s)/gi
const ABBREVIATION =
  /^(no|nos|approx|avg|pop|min|max|sq|vs|dr|st|mr|mrs|ms|engr|prof|alh|hon|rev|arc|barr|gen|col|capt)$/

/** Words as people write them in messages. */
const SHORTHAND: ReadonlyMap<string, string> = new Map([
  ['hw', 'how'],
  ['ppl', 'people'],
  ['pple', 'people'],
  ['dis', 'this'],
  ['dat', 'that'],
  ['wat', 'what'],
  ['wats', 'whats'],
  ['wich', 'which'],
  ['nd', 'and'],
])

export function wordsOf(question: string): Word[] {
  const text = question.normalize('NFKC').replace(LIST_MARKER, '$1; ')
  const words: Word[] = []
  let end = 0
  for (const found of text.matchAll(WORD)) {
    const between = text.slice(end, found.index)
    end = found.index + found[0].length
    const plain = SIGNS.get(found[0]) ?? found[0].replace(ELIDED, '')
    const folded = fold(plain)
      .replace(/['’]s$/, '')
      .replace(/['’]/g, '')
    const word = SHORTHAND.get(folded) ?? folded
    if (word === '') continue
    const isAbbreviated = /^\.\s$/.test(between) && ABBREVIATION.test(words.at(-1)?.word ?? '')
    const mark = words.length === 0 || isAbbreviated ? '' : markIn(between)
    // "N'Dara" is a name, "d'habitants" has an article.
    const spelling = /^\p{Lu}['’]\p{Lu}/u.test(found[0]) ? found[0] : plain
    words.push({ text: spelling, word, mark, isSlashed: mark === 'weak' && /^\s*[/(]\s*$/.test(between) })
    if (words.length === WORDS_MAX) break
  }
  return withNumbers(words)
}

function markIn(between: string): Mark {
  // A point within an abbreviation ends no sentence: "no. of shops" goes on in lower case.
  if (/[!?;\n]|\.\s*$|\.\s+\S/.test(between)) return 'strong'
  return /[,:()/–—]|\s-\s/.test(between) ? 'weak' : ''
}

export const plainWordsOf = (text: string) => wordsOf(text.replaceAll('_', ' ')).map(({ word }) => word)
