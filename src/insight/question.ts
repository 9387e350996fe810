/** The statistics, comparisons and years that a question asks for: read from its words, without a model. */
import type { Statistic } from './figures.js'

export type Asked = {
  /** In the order in which they matter; the first is what the question is after. */
  statistics: Statistic[]
  compares: boolean
}

const words: [statistic: Statistic, pattern: RegExp][] = [
  [
    'max',
    /\b(most|highest|largest|biggest|greatest|maximum|max|top|busiest|densest|steepest|tallest|furthest|longest|peak)\b/,
  ],
  ['min', /\b(least|lowest|smallest|fewest|minimum|min|flattest|emptiest|sparsest|shortest|bottom)\b/],
  [
    'share',
    /\b(share|percent|percentage|per cent|proportion|mostly|mainly|majority|fraction|predominantly|largely|how much of)\b/,
  ],
  ['mean', /\b(average|mean|typical|typically|on average|usual|usually)\b/],
  ['sum', /\b(total|sum|altogether|overall|in all|how many|number of|count|combined|together)\b/],
]

export function asked(question: string): Asked {
  const text = ` ${question
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')} `
  const statistics = words.filter(([, pattern]) => pattern.test(text)).map(([statistic]) => statistic)
  // "most common" asks for a mode, not for the highest.
  if (/\bmost (common|frequent|usual|widespread)\b/.test(text)) statistics.splice(0, statistics.length, 'share')
  if (text.includes('%') && !statistics.includes('share')) statistics.push('share')
  return {
    statistics,
    compares: /\b(compare|comparison|versus|vs|differ|difference|differences|each|side by side|per frame|rank)\b/.test(
      text,
    ),
  }
}

/** After these words a number of four digits counts something: "more than 2000 people". */
const COUNTED = /\b(?:than|over|under|above|below|least|most|exactly|about|around)$/

/** The years that a question names, each once. */
export function yearsOf(question: string): number[] {
  const text = question.toLowerCase().normalize('NFKC')
  const years = [...text.matchAll(/(?<![\d.,])(?:19|20)\d\d(?![\d]|[.,]\d)/g)]
    .filter(({ index }) => !COUNTED.test(text.slice(0, index).trimEnd()))
    .map(([year]) => Number(year))
  return [...new Set(years)]
}
