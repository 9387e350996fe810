/** Finds the words and the numbers that a plan copies from its question. */
import { trimDecimal } from '../../decimal.js'
import { fold } from './words.js'

/** Why a plan is refused. */
export class PlanRefused extends Error {}

export function refuseIf(fault: boolean, why: string): void {
  if (fault) throw new PlanRefused(why)
}

export function needed<Value>(one: Value | undefined, why: string): Value {
  if (one === undefined) throw new PlanRefused(why)
  return one
}

const questionTokens = (text: string) =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: found, index }) => ({
    text: fold(found),
    start: index,
    end: index + found.length,
  }))
const foldedWords = (text: string): string[] => questionTokens(text).map(({ text: word }) => word)

/** Returns the words as the question has them: in any case, with any accents, and in their order. Others may stand between. */
export function spanOf(question: string, words: string): string {
  const tokens = questionTokens(question)
  const wanted = foldedWords(words)
  refuseIf(wanted.length === 0, 'words that are not in the question')
  const first = tokens.findIndex((_, place) => wanted.every((word, i) => tokens[place + i]?.text === word))
  const [from, to] = [tokens[first], tokens[first + wanted.length - 1]]
  if (from && to) return question.slice(from.start, to.end)
  let at = 0
  return wanted
    .map((word) => {
      const place = tokens.findIndex(({ text }, i) => i >= at && text === word)
      at = place + 1
      const token = needed(tokens[place], 'words that are not in the question')
      return question.slice(token.start, token.end)
    })
    .join(' ')
}

/** Digits in groups of three, or digits, each with a fraction and the letters that follow. */
const QUESTION_NUMBER =
  /(?<![\p{N}.,])(?:\d{1,3}(?:([ ,.'’])\d{3})(?:\1\d{3})*(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(\p{L}*)/gu

/**
 * Each number of the question, with the plain decimals that it may stand for: "5.000" is 5 or 5000. A number with
 * letters, such as "5k", stands for none; "5th" is 5.
 */
export const numbersIn = (question: string): { text: string; values: string[] }[] =>
  [...question.normalize('NFKC').matchAll(QUESTION_NUMBER)].map(({ 0: text, 1: separator, 2: letters }) => {
    if (letters && !/^(st|nd|rd|th)$/.test(letters)) return { text, values: [] }
    const whole = separator === undefined ? text : text.replaceAll(separator, '')
    if (letters) return { text, values: [canonical(whole.replace(/\D/g, ''))] }
    const readings = [whole, ...(/^\d{1,3}\.\d{3}$/.test(text) ? [text] : [])]
    return { text, values: readings.map((each) => canonical(each.replace(',', '.'))) }
  })

/** "007.50" is "7.5". */
export const canonical = (decimal: string): string => trimDecimal(decimal.replace(/^0+(?=\d)/, ''))
