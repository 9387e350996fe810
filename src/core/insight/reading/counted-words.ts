/** Reads a number of several words as one: "seven thousand", "two hundred and fifty", "1.5 million". */
import { SCALE_VALUES, WORD_VALUES } from '../number-words.js'

/** A word of the question, as far as it matters here. */
type CountedWord = { text: string; word: string; mark: string }

/** The result has each such number as one word of digits. */
export function withNumbers<Word extends CountedWord>(words: readonly Word[]): Word[] {
  const read: Word[] = []
  for (let i = 0; i < words.length;) {
    const first = words[i] as Word
    const found = numberAt(words, i)
    const end = found?.end ?? i + 1
    const text = words.slice(i, end).map((each) => each.text).join(' ') // prettier-ignore
    read.push(found ? { ...first, text, word: String(found.value) } : first)
    i = end
  }
  return read
}

type NumberSoFar = { total: number; current: number | undefined; last: 'word' | 'scale' | undefined }

function numberAt(words: readonly CountedWord[], start: number): { value: number; end: number } | undefined {
  const reading: NumberSoFar = { total: 0, current: undefined, last: undefined }
  let end = start
  for (let i = start; i < words.length && (i === start || words[i]?.mark === ''); i++) {
    const word = words[i]?.word ?? ''
    if (word === 'and' && reading.last === 'scale' && WORD_VALUES.has(words[i + 1]?.word ?? '')) continue
    if (!addWord(reading, word, i === start)) break
    end = i + 1
  }
  const isArticleAlone = words[start]?.word === 'a' && reading.last !== 'scale' && end - start < 3
  if (isArticleAlone && reading.total === 0 && !SCALE_VALUES.has(words[start + 1]?.word ?? '')) return undefined
  return end - start < 2 ? undefined : { value: reading.total + (reading.current ?? 0), end }
}

/** Adds a word to the number before it, if the language has such a number: "two three" is none. */
function addWord(reading: NumberSoFar, word: string, isFirst: boolean): boolean {
  const { current } = reading
  // "A hundred and eighty".
  if (isFirst && word === 'a') {
    reading.current = 1
    return true
  }
  const scale = SCALE_VALUES.get(word)
  if (scale !== undefined) {
    if (current === undefined) return false
    if (scale === 100n) reading.current = current * 100
    else {
      reading.total += current * Number(scale)
      reading.current = undefined
    }
    reading.last = 'scale'
    return true
  }
  const isDigits = isFirst && /^\d+(?:[.,]\d+)*$/.test(word)
  const value = isDigits ? Number(word.replaceAll(',', '')) : Number(WORD_VALUES.get(word) ?? Number.NaN)
  if (Number.isNaN(value) || !fits(current, value)) return false
  reading.current = (current ?? 0) + value
  reading.last = 'word'
  return true
}

/** "Twenty" takes a word below ten, and "two hundred" one below a hundred. */
function fits(current: number | undefined, value: number): boolean {
  if (current === undefined) return true
  const rest = current % 100
  return (rest === 0 && current >= 100) || (rest >= 20 && rest % 10 === 0 && value < 10)
}
