/** Refuses a plan of the model. */
import { spanIn } from './plan-numbers.js'

/** Why a plan is refused. */
export class PlanRefused extends Error {}

export const refuseIf = (fault: boolean, why: string) => {
  if (fault) throw new PlanRefused(why)
}

/** Returns the words as the question has them. */
export function spanOf(question: string, words: string): string {
  const span = spanIn(question, words)
  if (span === undefined) throw new PlanRefused('words that are not in the question')
  return span
}
