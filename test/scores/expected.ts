/** The answers that questions must get. */
import type { LabelledValue } from '../../src/core/figures/facets.js'

/**
 * E: one figure answers the question; M: several do; N: no dataset answers it; D: a computed figure comes first, or the
 * headline says what is not answered; F: the same, of details of features; P: it asks for a profile.
 */
export type QuestionKind = 'E' | 'M' | 'N' | 'D' | 'F' | 'P'

export type ExpectedAnswer = {
  id?: string
  question: string
  kind?: QuestionKind
  /** These patterns fit the label and the value of the first facet. */
  first?: string
  value?: string
  /** Each is the pattern of a label among the first six. */
  also?: string[]
}
export type QuestionFile = { sets?: Record<string, string[]>; questions: ExpectedAnswer[] }
type GivenAnswer = {
  headline: string
  confidence: string
  facets: readonly LabelledValue[]
  sources: readonly { attribute: string; statistic: string }[]
}

const AMONG_FIRST = 6

/** A question with several labels has kind M, one with a label or a value kind E, any other kind N. */
export const kindOfQuestion = ({ kind, first, value, also }: ExpectedAnswer): QuestionKind =>
  kind ?? (also ? 'M' : first === undefined && value === undefined ? 'N' : 'E')

export function isExpected(expected: ExpectedAnswer, answer: GivenAnswer): boolean {
  const { headline, confidence, facets } = answer
  const labels = facets.slice(0, AMONG_FIRST).map(({ label }) => label)
  const isFirst = isMatch(expected.first, labels[0]) && isMatch(expected.value, facets[0]?.value)
  switch (kindOfQuestion(expected)) {
    case 'E':
      return isFirst
    case 'M':
      return isFirst && (expected.also ?? []).every((pattern) => labels.some((label) => isMatch(pattern, label)))
    case 'N':
      return isUnanswered(headline) && confidence === 'nearest'
    case 'D':
    case 'F':
      return isUnanswered(headline) || (expected.value === undefined ? isComputed(answer) : isFirst)
    case 'P':
      return headline.startsWith('Profile of ')
  }
}

/** True where the headline says that the question, or a part of it, is not answered. */
export const isUnanswered = (headline: string): boolean =>
  /^(?:.*? (?:is|are) left out: .*?\. )?(?:No dataset has a name for "|Not answered: "|No question about |"[^"]*" costs \d+ credits? a call, )/.test(
    headline,
  )

const isMatch = (pattern: string | undefined, text: string | undefined) =>
  pattern === undefined || (text !== undefined && new RegExp(pattern, 'u').test(text))

/** These statistics stand for a figure as the catalogue gives it, over all frames. */
const USUAL_STATISTICS = new Set([
  'sum',
  'mean',
  'weighted_mean',
  'min',
  'max',
  'mode',
  'share',
  'value',
  'odd',
  'frames',
  'count',
])

/** Totals of features are usual; extremes of features are computed, and so is any figure with a condition. */
function isComputed({ headline, facets: [first], sources: [source] }: GivenAnswer): boolean {
  if (!first || !source || !headline.includes(`${first.label}: `)) return false
  const { statistic, attribute } = source
  const isOfFeatures = attribute === 'feature' && !['count', 'frames'].includes(statistic)
  return !USUAL_STATISTICS.has(statistic) || isOfFeatures || 'where' in source || 'property' in source
}
