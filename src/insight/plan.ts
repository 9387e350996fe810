/** Reads the plan of an answer from a question, without a model: its topics, its statistics, and what it compares. */
import type { Reader } from '../db/replicas/reader.js'
import { topicsOfQuestion, type DatasetRow } from '../db/statements.js'
import type { Statistic } from './figures.js'

/** An attribute of a dataset, or its features where `attribute` is null. A higher score is a better match. */
type ScoredTopic = { layerId: string; attribute: string | null; score: number }
export type QuestionPlan = {
  /** The best match comes first. */
  topics: ScoredTopic[]
  /** The most specific statistic comes first. */
  statistics: Statistic[]
  /** The answer sets the frames side by side. */
  compares: boolean
}

export async function planOf(reader: Reader, datasets: readonly DatasetRow[], question: string): Promise<QuestionPlan> {
  const words = plainWords(question)
  return {
    topics: await topicsIn(reader, datasets, question),
    statistics: statisticsIn(words),
    compares: COMPARISON.test(words),
  }
}

/** A dataset that costs credits is a topic only where the question has one of its names, or nothing matches better. */
async function topicsIn(reader: Reader, datasets: readonly DatasetRow[], question: string): Promise<ScoredTopic[]> {
  const layers = datasets.map(({ layerId }) => layerId)
  const found = await topicsOfQuestion(reader, layers, question, yearsIn(question))
  const best = found[0]?.score ?? 0
  return found
    .filter(({ layer, score }) => datasets[layer - 1]?.price === null || score >= Math.min(1, best))
    .map(({ layer, attribute, score }) => ({ layerId: layers[layer - 1] ?? '', attribute, score }))
}

const STATISTIC_WORDS: readonly [statistic: Statistic, pattern: RegExp][] = [
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

const COMPARISON = /\b(compare|comparison|versus|vs|differ|difference|differences|each|side by side|per frame|rank)\b/

function statisticsIn(words: string): Statistic[] {
  // "most common" asks for a mode, not for the highest.
  if (/\bmost (common|frequent|usual|widespread)\b/.test(words)) return ['share']
  const statistics = STATISTIC_WORDS.filter(([, pattern]) => pattern.test(words)).map(([statistic]) => statistic)
  return words.includes('%') && !statistics.includes('share') ? [...statistics, 'share'] : statistics
}

/** Turns every mark but % into a space. */
const plainWords = (question: string) =>
  ` ${question
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')} `

/** After these words a number of four digits is a count: "more than 2000 people". */
const BEFORE_COUNT = /\b(?:than|over|under|above|below|least|most|exactly|about|around)$/

/** Returns each year that the question names once. */
function yearsIn(question: string): number[] {
  const text = question.toLowerCase().normalize('NFKC')
  const years = [...text.matchAll(/(?<![\d.,])(?:19|20)\d\d(?![\d]|[.,]\d)/g)]
    .filter(({ index }) => !BEFORE_COUNT.test(text.slice(0, index).trimEnd()))
    .map(([year]) => Number(year))
  return [...new Set(years)]
}
