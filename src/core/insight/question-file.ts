/** A file of questions with the figures that they must get. It tells whether an answer is the expected one. */
import { isUnanswered } from './headline.js'
import type { LabelledValue } from './verify.js'

/** Each kind of question says what answers it. */
export const QUESTION_KINDS = {
  E: 'one figure answers it, and comes first',
  M: 'several figures answer it, and come among the first',
  N: 'no dataset answers it, and the headline says so',
  D: 'a computed figure comes first, or the headline says what is not answered',
  F: 'details of features come first, or the headline says what is not answered',
  P: 'it asks for a profile',
} as const
export type QuestionKind = keyof typeof QUESTION_KINDS

export type ExpectedAnswer = {
  id?: string
  question: string
  kind?: QuestionKind
  /** A question without frames and without the name of a set is asked of the first set of the file. */
  frameIds?: string[]
  set?: string
  /** These patterns fit the label and the value of the first facet. */
  first?: string
  value?: string
  /** Each is the pattern of a label among the first six. */
  also?: string[]
}
export type QuestionFile = { sets?: Record<string, string[]>; questions: ExpectedAnswer[] }
type GivenAnswer = {
  headline: string
  facets: readonly LabelledValue[]
  sources: readonly { attribute: string; statistic: string }[]
}

const AMONG_FIRST = 6

/** A question with several labels has kind M, one with a label or a value kind E, any other kind N. */
export const kindOfQuestion = ({ kind, first, value, also }: ExpectedAnswer): QuestionKind =>
  kind ?? (also ? 'M' : first === undefined && value === undefined ? 'N' : 'E')

export function isExpected(expected: ExpectedAnswer, answer: GivenAnswer): boolean {
  const { headline, facets } = answer
  const labels = facets.slice(0, AMONG_FIRST).map(({ label }) => label)
  const isFirst = isMatch(expected.first, labels[0]) && isMatch(expected.value, facets[0]?.value)
  switch (kindOfQuestion(expected)) {
    case 'E':
      return isFirst
    case 'M':
      return isFirst && (expected.also ?? []).every((pattern) => labels.some((label) => isMatch(pattern, label)))
    case 'N':
      return isUnanswered(headline)
    case 'D':
    case 'F':
      return isUnanswered(headline) || (expected.value === undefined ? isComputed(answer) : isFirst)
    case 'P':
      return headline.startsWith('Profile of ')
  }
}

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

/** Gives each question its frames. Throws a sentence that names the first mistake. */
export function readQuestionFile(
  text: string,
  name: string,
  set?: string,
): (ExpectedAnswer & { frameIds: string[] })[] {
  const { sets = {}, questions } = parsedFile(text, name)
  if (set !== undefined && !sets[set]) throw new Error(`${name}: there is no set "${set}".`)
  const [firstSet] = Object.keys(sets)
  return questions.map((expected, place) => {
    const where = `${name}, question ${place + 1}`
    if (typeof expected.question !== 'string') throw new Error(`${where}: "question" is needed, a string.`)
    if (expected.kind !== undefined && !Object.hasOwn(QUESTION_KINDS, expected.kind))
      throw new Error(`${where}: kind ${Object.keys(QUESTION_KINDS).join(', ')} is accepted, "${expected.kind}" came.`)
    for (const pattern of [expected.first, expected.value, ...(expected.also ?? [])]) checkPattern(pattern, where)
    const frameIds = expected.frameIds ?? sets[expected.set ?? set ?? firstSet ?? '']
    if (!frameIds) throw new Error(`${where}: "frameIds" or the name of a set is needed.`)
    return { ...expected, frameIds }
  })
}

function parsedFile(text: string, name: string): QuestionFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Error(`${name}: this is not JSON.`)
  }
  const file = json as Partial<QuestionFile> | null
  if (!Array.isArray(file?.questions)) throw new Error(`${name}: {"questions": [...]} is needed.`)
  return file as QuestionFile
}

function checkPattern(pattern: string | undefined, where: string): void {
  try {
    isMatch(pattern, '')
  } catch {
    throw new Error(`${where}: "${pattern}" is not a pattern.`)
  }
}
