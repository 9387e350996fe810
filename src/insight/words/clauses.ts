/** Cuts a sentence into clauses: each has a verb of its own, or says what a list is about. */
import { isMark, wordAt, type Token } from './tokens.js'
import { NEGATIONS } from './vocabulary.js'
import type { SentenceView } from './views.js'

const JOINTS = new Set('while whereas but although though and which'.split(' '))

/** Says whether a clause ends at the token `i`, seen from a slot at `at`: "Forest: {F1}" is one clause. */
export function isClauseEnd(tokens: readonly Token[], i: number, at: number): boolean {
  const token = tokens[i]
  if (isMark(token, '.;!?')) return true
  if (isMark(token, ':(')) return false
  if (wordAt(token) === 'and' && isMark(tokens[i - 1], ',')) return true
  return JOINTS.has(wordAt(token)) && tokens.slice(i + 1, at).some((each) => CLAUSE_VERBS.test(wordAt(each)))
}

/** These verbs carry a clause of their own. */
const CLAUSE_VERBS =
  /^(?:is|are|was|were|has|have|had|holds?|covers?|numbers?|totals?|lies?|averages?|contains?|counts?|belongs?|speaks?)$/

/** A clause ends at a strong mark, but not at one right before a slot. */
export type Clause = { from: number; to: number }

export function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  tokens.forEach((token, i) => {
    const isNegated = tokens.slice(from, i).some((each) => NEGATIONS.has(wordAt(each)))
    const isAnd = isNegated && wordAt(tokens[i + 1]) === 'and' && tokens[i + 2]?.kind === 'slot'
    const isBut = isMark(token, ',') && (isAnd || /^(?:but|while|though|although|yet)$/.test(wordAt(tokens[i + 1])))
    if (!(isMark(token, '.;:!?()') || isBut) || (isMark(token, ':') && NEGATIONS.has(wordAt(tokens[i + 1])))) return
    if (i > from) clauses.push({ from, to: i })
    from = i + 1
  })
  if (from < tokens.length) clauses.push({ from, to: tokens.length })
  return clauses
}

export const familiesIn = ({ mentions }: SentenceView, { from, to }: Clause) =>
  mentions.filter((mention) => mention.from >= from && mention.from < to && !mention.isContainer && !mention.isSoft)

export const within = (set: ReadonlySet<string>, tokens: readonly Token[]) =>
  tokens.some((token) => set.has(wordAt(token)))
