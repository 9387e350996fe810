/** Lets the model plan the reading of a question, where words are left over and the call may have words. */
import { openHold, releaseHold } from '../credits/allowance.js'
import type { WordingCall, WordingInput } from './paid-words.js'
import { leavesWordsOver, type PlannedQuestion } from './reading/by-model.js'
import type { Reading } from './reading/reading.js'

/**
 * Only a call whose words are covered may cost the operator a plan, so a plan needs the hold of the worded answer.
 * `wordsFor` finds that hold by the request id, and posts or releases it. The plan itself is never counted.
 */
export async function plannedReading(
  { wording, ledger, caller, requestId, hangUp, onPlanned }: WordingCall,
  format: WordingInput['format'],
  asked: PlannedQuestion,
): Promise<Reading> {
  const { reading } = asked
  if (format === 'figures' || !leavesWordsOver(reading)) return reading
  if (!wording?.isAvailable() || hangUp.aborted) return reading
  const hold = await openHold(ledger.db, caller, requestId).catch(() => undefined)
  if (hold !== 'held') return reading
  const planning = await wording.planReading(asked, hangUp)
  onPlanned(planning)
  // A hold that cannot be released expires.
  if (hangUp.aborted) await releaseHold(ledger.db, caller.orgId, requestId).catch(() => {})
  return planning.reading
}
