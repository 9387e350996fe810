/** Cuts a sentence into clauses: each has a verb of its own, or says what a list is about. */
import { isMark, wordAt, type Token } from './tokens.js'

const JOINTS = new Set('while whereas but although though and which'.split(' '))

/** Says whether a clause ends at the token `i`, seen from a slot at `at`: "Forest: {F1}" is one clause. */
export function isClauseEnd(tokens: readonly Token[], i: number, at: number): boolean {
  const token = tokens[i]
  if (isMark(token, '.;!?')) return true
  if (isMark(token, ':(')) return false
  return JOINTS.has(wordAt(token)) && tokens.slice(i + 1, at).some((each) => VERBS.test(wordAt(each)))
}

/** These verbs carry a clause of their own. */
const VERBS =
  /^(?:is|are|was|were|has|have|had|holds?|covers?|numbers?|totals?|lies?|averages?|contains?|counts?|belongs?|speaks?)$/
