/** Finds the numbers and the words of a question, in any language, for the check of a plan. */

import { fold } from './words.js'

/** A word or a run of digits, and its place. */
type QuestionWord = { text: string; start: number; end: number }

const tokensOf = (text: string): QuestionWord[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: found, index }) => ({
    text: fold(found),
    start: index,
    end: index + found.length,
  }))

export const foldedWords = (text: string): string[] => tokensOf(text).map(({ text: word }) => word)

/** Returns the words as the question has them, or undefined where they do not stand in it one after another. */
export function spanIn(question: string, words: string): string | undefined {
  const tokens = tokensOf(question)
  const wanted = foldedWords(words)
  if (wanted.length === 0) return undefined
  const first = tokens.findIndex((_, place) => wanted.every((word, i) => tokens[place + i]?.text === word))
  const [from, to] = [tokens[first], tokens[first + wanted.length - 1]]
  return from && to ? question.slice(from.start, to.end) : undefined
}

/** Digits in groups of three, or digits, each with a fraction and the letters that follow. */
const NUMBER = /(?<![\p{N}.,])(?:\d{1,3}(?:([ ,.'’])\d{3})(?:\1\d{3})*(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(\p{L}*)/gu

/**
 * Each number of the question, with the plain decimals that it may stand for: "5.000" is 5 or 5000. A number with
 * letters, such as "5k", stands for none.
 */
export function numbersIn(question: string): { text: string; values: string[] }[] {
  return [...question.normalize('NFKC').matchAll(NUMBER)].map(({ 0: text, 1: separator, 2: letters }) => {
    if (letters) return { text, values: [] }
    const whole = separator === undefined ? text : text.replaceAll(separator, '')
    const readings = [whole, ...(/^\d{1,3}\.\d{3}$/.test(text) ? [text] : [])]
    return { text, values: readings.map((each) => canonical(each.replace(',', '.'))) }
  })
}

/** "007.50" is "7.5". */
export const canonical = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.')
  const kept = fraction.replace(/0+$/, '')
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (kept && `.${kept}`)
}
