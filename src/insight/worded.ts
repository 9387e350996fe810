/** The words of an answer: asked for where the allowance or the credits cover them, and counted only where they are returned. */
import { giveBack, post, reserve, type CoveredBy } from '../credits/allowance.js'
import type { Ledger, PaidCall } from '../credits/charging.js'
import type { Narrated, NarrativeInput } from './narrate.js'

export type Narrate = (input: NarrativeInput, gone?: AbortSignal) => Promise<Narrated>
/** How an answer ended: worded, by what covered it, or why it came unworded. */
export type Outcome = { worded: CoveredBy } | { unworded: keyof typeof UNWORDED; reason?: string }
/** Told once for every answer, for the log and the metrics. */
type Told = (outcome: Outcome) => void

/** What an answer is worded and counted with. */
export type Means = { ledger: Ledger; narrate: Narrate | undefined; told: Told }
/** Who asks, and whether the client is `gone`: a client that hung up pays nothing, and nothing is counted for it. */
export type Asking = PaidCall & { plan: string; gone: AbortSignal }

type Words = { narrative: string; model: string } | { notice: string }

export const UNWORDED = {
  no_frames: 'There is nothing to put into words: none of these frames is in the index.',
  not_asked: 'The figures come without words: none were asked for.',
  not_configured: 'The figures come without words: wording is not configured here.',
  no_allowance: "The figures come without words: this month's worded answers are used up, and there are no credits.",
  daily_ceiling: "The figures come without words: today's worded answers of the organisation are used up.",
  unavailable: 'The figures come without words: wording is unavailable just now.',
  unverified: 'The figures come without words: the words could not be verified against the figures.',
} as const

type Asked = Omit<NarrativeInput, 'format'> & { format: NarrativeInput['format'] | 'figures' }

/**
 * A place is held before the words are asked for, and given back where none come. "gone": the client hung up, and nothing is
 * counted for it.
 */
export async function worded(means: Means, asking: Asking, { format, ...input }: Asked): Promise<Words | 'gone'> {
  const { ledger, narrate, told } = means
  const { caller, plan, requestId, gone } = asking
  const unworded = (why: keyof typeof UNWORDED, reason?: string): Words | 'gone' => {
    if (gone.aborted) return 'gone'
    told({ unworded: why, ...(reason === undefined ? {} : { reason }) })
    return { notice: UNWORDED[why] }
  }
  if (format === 'figures') return unworded('not_asked')
  if (!narrate) return unworded('not_configured')
  const reservation = await reserve(ledger.db, { ...caller, plan }, requestId).catch(() => undefined)
  if (reservation === undefined) return unworded('unavailable', 'the allowance could not be read')
  if (reservation !== 'held') return unworded(reservation)
  const narrated = await narrate({ ...input, format }, gone).catch((): Narrated => THREW)
  if (gone.aborted || 'failed' in narrated) {
    // A place that is not given back ends by itself.
    await giveBack(ledger.db, caller.orgId, requestId).catch(() => {})
    return 'failed' in narrated ? unworded(narrated.failed, narrated.reason) : 'gone'
  }
  return await counted(means, asking, narrated)
}

const THREW = { failed: 'unavailable', reason: 'it threw' } as const

/** Counts the answer, and takes that back where it is not returned worded after all. */
async function counted(
  { ledger, told }: Means,
  { caller, requestId, gone }: Asking,
  words: Words,
): Promise<Words | 'gone'> {
  const unworded = (reason: string): Words => {
    told({ unworded: 'unavailable', reason })
    return { notice: UNWORDED.unavailable }
  }
  const takeBack = () => ledger.voids.add({ caller, requestId, part: 'worded' })
  const coveredBy = await post(ledger.db, caller, requestId).catch(() => 'unknown' as const)
  if (gone.aborted) {
    takeBack()
    return 'gone'
  }
  if (coveredBy === 'unknown') {
    // The database may count it yet.
    takeBack()
    return unworded('it could not be counted')
  }
  if (!coveredBy) return unworded('the hold had expired')
  told({ worded: coveredBy })
  return words
}
