/**
 * The way between express-rate-limit, which hands its store a text and takes a count, and buckets, which take several charges
 * and give a verdict: the text is the call's id, under which both lie here while the call is being metered.
 * (An AsyncLocalStorage would carry them too, and with them a hook on every promise of the process.)
 */
import type { ClientRateLimitInfo } from 'express-rate-limit'
import type { Charge, Spend, Verdict } from './buckets.js'

type Metering = { charges: readonly Charge[]; verdict?: Verdict }

export const beingMetered = new Map<string, Metering>()

export function metered(spend: Spend): (callId: string) => Promise<ClientRateLimitInfo> {
  return async (callId) => {
    const call = beingMetered.get(callId)
    if (!call) throw new Error('This call is not being metered.')
    const verdict = (call.verdict = await spend(call.charges))
    const totalHits = verdict.passes ? verdict.burst - verdict.remaining : verdict.burst + 1
    return { totalHits, resetTime: undefined }
  }
}
