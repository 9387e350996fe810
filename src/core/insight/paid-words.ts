/** Gets the plan of a question, and the words of an answer, if the allowance or the credits cover them, and counts words that the caller gets. */
import {
  type CoveredBy,
  type Ledger,
  openCallHold,
  type PaidCall,
  postHold,
  releaseCallHold,
} from '../credits/index.js'
import { BREAKER_OPEN } from './wording/breaker.js'
import type { Narrate, Narration, Narrative, NarrativeInput } from './narrate.js'
import { leavesWordsOver, type PlanByModel, type PlannedQuestion, type Planning } from './reading/by-model.js'
import type { Reading } from './reading/reading.js'

/** An outcome says what covered the words, or why there are none. */
export type Outcome = { worded: CoveredBy } | { unworded: keyof typeof WORDING_NOTICES; reason?: string }

export type WordingEngine = {
  narrate: Narrate
  planReading: PlanByModel
  /** False while its own breaker is open. */
  canPlan: () => boolean
  /** False while the breaker is open: no hold is opened then. */
  isAvailable: () => boolean
}

/** This part of a call pays for words. After its client hung up, a call pays nothing and is not counted. */
export type WordingCall = PaidCall & {
  caller: { plan: string }
  /** Aborts when the client hangs up. */
  hangUp: AbortSignal
  ledger: Ledger
  /** Undefined where no wording engine is configured. */
  wording: WordingEngine | undefined
  /** The log and the metrics hear of every answer once. */
  onOutcome: (outcome: Outcome) => void
  /** The log and the metrics hear of every plan that the model was asked for. */
  onPlanned: (planning: Planning) => void
}

/** The call wants figures alone where `format` is "figures". */
export type WordingInput = Omit<NarrativeInput, 'format'> & { format: NarrativeInput['format'] | 'figures' }
type Words = Narrative | { notice: string }

export const WORDING_NOTICES = {
  no_frames: 'There is nothing to put into words: none of these frames is in the index.',
  not_asked: 'The figures come without words: none were asked for.',
  not_configured: 'The figures come without words: wording is not configured here.',
  no_allowance: "The figures come without words: this month's worded answers are used up, and there are no credits.",
  daily_ceiling: "The figures come without words: today's worded answers of the organisation are used up.",
  key_cap: 'The figures come without words: a cap of this key is reached, and the next day or month lifts it.',
  worded_before: 'The figures come without words: this form was put into words before. Ask again for others.',
  unavailable: 'The figures come without words: wording is unavailable just now.',
  unverified: 'The figures come without words: the words could not be verified against the figures.',
} as const

/**
 * Lets the model plan the reading of a question, where words are left over, also for a call that wants figures alone.
 * Only a call whose words would be covered may cost the operator a plan, so a plan needs a hold. It is released after the
 * plan, which is never counted: the call may still fail, and `wordsFor` opens the hold of the words.
 */
export async function plannedReading(call: WordingCall, asked: PlannedQuestion): Promise<Reading> {
  const { wording, hangUp, onPlanned } = call
  const { reading } = asked
  if (!leavesWordsOver(reading) || !wording?.canPlan() || hangUp.aborted) return reading
  if ((await openCallHold(call)) !== 'held') return reading
  const planning = await wording.planReading(asked, hangUp).finally(() => releaseCallHold(call))
  onPlanned(planning)
  return planning.reading
}

/** Opens a hold before it asks for words, and releases it if none come. Returns undefined after the client hung up. */
export async function wordsFor(call: WordingCall, { format, ...input }: WordingInput): Promise<Words | undefined> {
  const { wording, hangUp } = call
  const without = (why: keyof typeof WORDING_NOTICES, reason?: string) =>
    hangUp.aborted ? undefined : noticeOf(call, why, reason)
  if (format === 'figures') return without('not_asked')
  if (!wording) return without('not_configured')
  if (!wording.isAvailable()) return without('unavailable', BREAKER_OPEN)
  const hold = await openCallHold(call)
  if (hold === undefined) return without('unavailable', 'the allowance could not be read')
  if (hold !== 'held') return without(hold)
  const narration = await wording.narrate({ ...input, format }, hangUp).catch((): Narration => THREW)
  if (!hangUp.aborted && 'narrative' in narration) return await countedWords(call, narration)
  await releaseCallHold(call)
  return 'failed' in narration ? without(narration.failed, narration.reason) : undefined
}

const THREW = { failed: 'unavailable', reason: 'it threw' } as const

function noticeOf({ onOutcome }: WordingCall, why: keyof typeof WORDING_NOTICES, reason?: string): Words {
  onOutcome({ unworded: why, ...(reason === undefined ? {} : { reason }) })
  return { notice: WORDING_NOTICES[why] }
}

/** Counts the words, and takes the count back if the caller does not get them after all. */
async function countedWords(call: WordingCall, words: Words): Promise<Words | undefined> {
  const { ledger, caller, requestId, hangUp, onOutcome } = call
  const takeBack = () => ledger.refunds.add({ caller, requestId, part: 'worded' })
  const coveredBy = await postHold(ledger.db, caller, requestId).catch(() => 'unknown' as const)
  if (hangUp.aborted) {
    takeBack()
    return undefined
  }
  if (coveredBy === 'unknown') {
    // The database may still count them.
    takeBack()
    return noticeOf(call, 'unavailable', 'it could not be counted')
  }
  if (!coveredBy) return noticeOf(call, 'unavailable', 'the hold had expired')
  onOutcome({ worded: coveredBy })
  return words
}
