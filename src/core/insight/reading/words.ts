/** The words of a question, with their places in it. "How many" is one word. */
/**
 * `text` is the spelling of the question; `word` is its plain form; `mark` stands between the word before and this.
 * `isSlashed`: that is a slash or a bracket, which a name may have in it: "Mill/Weir", "Kofa (North)".
 */
export type Word = { text: string; word: string; mark: WordMark; isSlashed: boolean }
/** A comma, a colon or a dash is a weak break; the end of a sentence is a strong one. */
type WordMark = '' | 'weak' | 'strong'

/** A question has at most this many words that the reading looks at. */
const WORDS_MAX = 400

/** Lower case, without accents: the database folds the names of the catalogue in the same way. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()

/** A number keeps its separators, a word its apostrophes. */
const QUESTION_WORD =
  /(?<=\d)\+(?!\s?\d)|[<>]=?(?=\s?\d)|\d+(?:[.,]\d+)*(?:\s?%)?[\p{L}\d]*|\p{L}[\p{L}\p{M}\d]*(?:['’][\p{L}\p{M}]+)*|%/gu
/** The signs of bounds have words of the table of phrases. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['>', 'above'],
  ['>=', 'atleast'],
  ['<', 'below'],
  ['<=', 'atmost'],
])

export function wordsOf(question: string): Word[] {
  const text = question
    .normalize('NFKC')
    // "3–7 km" is a range as "3-7 km" is.
    .replace(/(?<=\d)\s?–\s?(?=\d)/g, '-')
    .replace(/\bw\/o\b/gi, 'without')
    .replace(/\bw\/(?=[\s\p{L}])/giu, 'with ')
  const words: Word[] = []
  let end = 0
  for (const found of text.matchAll(QUESTION_WORD)) {
    const between = text.slice(end, found.index)
    end = found.index + found[0].length
    // "L'" and "d'" are an article and a preposition. "N'Dara" is a name.
    const plain = found[0].replace(/^[ld]['’](?=\p{Ll}{2})/iu, '')
    const word = fold(SIGNS.get(plain) ?? plain)
      .replace(/['’]s$/, '')
      .replace(/['’]/g, '')
    if (word === '') continue
    const mark = words.length === 0 ? '' : markIn(between)
    words.push({ text: plain, word, mark, isSlashed: mark === 'weak' && /^\s*[/(]\s*$/.test(between) })
    if (words.length === WORDS_MAX) break
  }
  return withCounts(words)
}

function markIn(between: string): WordMark {
  // A point within an abbreviation ends no sentence: "no. of shops" goes on in lower case.
  if (/[!?;\n]|\.\s*$|\.\s+\S/.test(between)) return 'strong'
  return /[,:()/–—]|\s-\s/.test(between) ? 'weak' : ''
}

export const plainWordsOf = (text: string) => wordsOf(text.replaceAll('_', ' ')).map(({ word }) => word)

const joinedWord = (words: readonly Word[], word: string): Word => ({
  ...(words[0] as Word),
  text: words.map(({ text }) => text).join(' '),
  word,
})

/** "How many" and "number of" are one word. */
export const COUNT = '#count'
const COUNTS = /^(how (many|much)|(number|numbers|no|nos|count|amount|quantity) of)$/

const withCounts = (words: readonly Word[]): Word[] =>
  words.flatMap((word, i) => {
    const isCount = (first: Word | undefined, second: Word | undefined) =>
      second?.mark === '' && COUNTS.test(`${first?.word} ${second.word}`)
    if (isCount(words[i - 1], word)) return []
    return isCount(word, words[i + 1]) ? [joinedWord(words.slice(i, i + 2), COUNT)] : [word]
  })
