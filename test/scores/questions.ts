/** Scores the answers to single questions, and to two questions in one. */
import { isExpected, isUnanswered, kindOfQuestion, type ExpectedAnswer, type QuestionKind } from './expected.js'
import type { Insight } from '../insight/ask.js'
import { randomNumbers } from '../support/random-numbers.js'
import type { AskInsight } from './asked.js'

export type Score = { hits: number; asked: number; misses: string[] }

const described = ({ headline, facets: [first] }: Insight) => `${first?.label}: ${first?.value} | ${headline}`

/** Asks every question of one set of frames. */
export async function scoreQuestions(
  insight: AskInsight,
  frameIds: readonly string[],
  questions: readonly ExpectedAnswer[],
): Promise<Map<QuestionKind, Score>> {
  const scores = new Map<QuestionKind, Score>()
  for (const expected of questions) {
    const answer = await insight(frameIds, expected.question)
    const kind = kindOfQuestion(expected)
    const score = scores.get(kind) ?? { hits: 0, asked: 0, misses: [] }
    scores.set(kind, score)
    score.asked += 1
    if (isExpected(expected, answer)) score.hits += 1
    else score.misses.push(`${expected.id ?? ''} (${kind}) ${expected.question} -> ${described(answer)}`)
  }
  return scores
}

/** The halves of a compound have these kinds. */
const PAIRS = ['EE', 'EN', 'NE', 'ED', 'DE', 'EM', 'NN'] as const
const EACH = 26
const LONGEST_HALF = 120
const SEED = 14

/** Draws compounds of two questions, the same for the same corpus. */
export function compoundsOf(questions: readonly ExpectedAnswer[]): [ExpectedAnswer, ExpectedAnswer][] {
  const next = randomNumbers(SEED)
  const ofKind = (kind: string) =>
    questions.filter((each) => kindOfQuestion(each) === kind && each.question.length <= LONGEST_HALF)
  const draw = (kind: string) => {
    const some = ofKind(kind)
    return some[Math.floor(next() * some.length)]
  }
  return PAIRS.flatMap(([first = '', second = '']) =>
    Array.from({ length: EACH }, () => [draw(first), draw(second)] as const).flatMap(([one, other]) =>
      one && other ? [[one, other] satisfies [ExpectedAnswer, ExpectedAnswer]] : [],
    ),
  )
}

/** The half is there if the figure that answers it alone is among the first, or the headline names what it lacks. */
export async function scoreCompounds(
  insight: AskInsight,
  frameIds: readonly string[],
  compounds: readonly [ExpectedAnswer, ExpectedAnswer][],
): Promise<Score> {
  const score: Score = { hits: 0, asked: 0, misses: [] }
  for (const halves of compounds) {
    const [first, second] = halves.map(({ question }) => question.replace(/[?.!\s]+$/, ''))
    const question = `${first} and ${second}`
    const answer = await insight(frameIds, question)
    const lost: string[] = []
    for (const half of halves)
      if (!isThere(await insight(frameIds, half.question), answer, half)) lost.push(half.question)
    score.asked += 1
    if (lost.length === 0) score.hits += 1
    else score.misses.push(`${question} -> ${described(answer)} LOST: ${lost.join(' | ')}`)
  }
  return score
}

const AMONG_FIRST = 6
const quotedIn = (headline: string) => [...headline.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words.toLowerCase())

function isThere(alone: Insight, compound: Insight, half: ExpectedAnswer): boolean {
  if (isUnanswered(alone.headline)) {
    const words = half.question.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    // A greeting has no words that a headline could name: it takes nothing from the other half.
    const lacks = quotedIn(alone.headline)
    return (
      lacks.length === 0 ||
      quotedIn(compound.headline).some((quoted) =>
        quoted.split(/[^\p{L}\p{N}]+/u).every((word) => words.includes(word)),
      )
    )
  }
  const [first] = alone.facets
  return compound.facets
    .slice(0, AMONG_FIRST)
    .some(({ label, value }) => label === first?.label && value === first.value)
}
