/** Writes the notes that stand before the figures, so that nobody takes these for the answer to another question. */
import { listText } from '../figures/index.js'
import type { ReadAs } from './reading/reading.js'

/** With its figures, this is enough to write the headline again. */
export type Notes = {
  /** The caller asks no question, or one for an overview. */
  profile: boolean
  /** The headline names so many facets that answer the question, in its order, and behind them so many near ones. */
  answers: number
  nearest: number
  /** A caller without a question misses no dataset. */
  leftOut: readonly DatasetLeftOut[]
  /** No dataset has these words of the question. */
  unknown: readonly string[]
  /** These parts of the question are understood and not computed. */
  unanswered: readonly string[]
  /** Sentences that say why a part of the question has no figure here. */
  reasons: readonly string[]
  readAs: readonly ReadAs[]
  /** None of the frames lies in these places of the question. */
  absent: readonly string[]
  /** Only some of a profile's frames lie in these places. */
  partial: readonly string[]
}
/** Without a reason, the credits do not cover its price. */
type DatasetLeftOut = { name: string; reason?: 'insufficient_credits' | 'key_cap' | 'costs_credits' }

export const quotedWords = (words: readonly string[]) =>
  words.map((word) => `"${word.replaceAll('"', "'")}"`).join(', ')

/** These say that a part of the question has no figure. */
export const lackSentences = ({ leftOut, unknown, unanswered, reasons }: Notes): string[] => [
  ...(leftOut.length === 0 ? [] : [leftOutText(leftOut)]),
  ...(unknown.length === 0 ? [] : [`No dataset has a name for ${quotedWords(unknown)}.`]),
  ...(unanswered.length === 0 ? [] : [`Not answered: ${quotedWords(unanswered)}.`]),
  ...reasons,
]

/** The sentences that come before any figure, in the headline and in a narrative. */
export function noteSentences(notes: Notes): string[] {
  const { profile, answers, nearest, absent, partial, readAs } = notes
  const lacks = lackSentences(notes)
  const without = readAs.flatMap(({ words, name }) => (name === undefined ? [words] : []))
  const isFound = profile || lacks.length + answers + nearest > 0
  return [
    ...lacks,
    ...readAs.flatMap(({ words, name }) =>
      name === undefined ? [] : [`Read ${quotedWords([words])} as ${quotedWords([name])}.`],
    ),
    ...(without.length === 0 ? [] : [`Read without ${quotedWords(without)}.`]),
    ...(absent.length === 0 ? [] : [`None of these frames lies in ${absent.join(' or ')}.`]),
    ...(partial.length === 0 ? [] : [`Only some of these frames lie in ${partial.join(' or ')}.`]),
    ...(isFound ? [] : ['No question about these frames was found.']),
  ]
}

function leftOutText(datasets: readonly DatasetLeftOut[]): string {
  const costs = datasets.every(({ reason }) => reason === 'costs_credits')
  const [is, it, its, price] =
    datasets.length === 1 ? ['is', 'it costs', 'its', 'price'] : ['are', 'they cost', 'their', 'prices']
  const isCapped = datasets.every(({ reason }) => reason === 'key_cap')
  const payer = isCapped ? 'a cap of the key does' : 'the credits do'
  const why = costs ? `${it} credits` : `${payer} not cover ${its} ${price}`
  return `${listText(datasets.map(({ name }) => name))} ${is} left out: ${why}.`
}
