/** Lets the model plan the reading of a question, where words are left over and the call may have words. */
import { openCallHold, releaseCallHold } from '../credits/call-hold.js'
import type { WordingCall, WordingInput } from './paid-words.js'
import { leavesWordsOver, type PlannedQuestion } from './reading/by-model.js'
import type { Reading } from './reading/reading.js'

/**
 * Only a call whose words are covered may cost the operator a plan, so a plan needs a hold. It is released after the
 * plan, which is never counted: the call may still fail, and `wordsFor` opens the hold of the words.
 */
export async function plannedReading(
  call: WordingCall,
  format: WordingInput['format'],
  asked: PlannedQuestion,
): Promise<Reading> {
  const { wording, hangUp, onPlanned } = call
  const { reading } = asked
  if (format === 'figures' || !leavesWordsOver(reading)) return reading
  if (!wording?.isAvailable() || hangUp.aborted) return reading
  if ((await openCallHold(call)) !== 'held') return reading
  const planning = await wording.planReading(asked, hangUp).finally(() => releaseCallHold(call))
  onPlanned(planning)
  return planning.reading
}
