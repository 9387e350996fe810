/** What a question asks of its topics: told by its words, without a model. */
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
