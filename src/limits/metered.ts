/**
 * The way between express-rate-limit, which hands its store a text and takes a count, and buckets, which take several charges
 * and give a verdict: the text is the number of a place, in which both lie while the call is being metered.
 * (An AsyncLocalStorage would carry them too, and with them a hook on every promise of the process.)
 */
import type { ClientRateLimitInfo } from 'express-rate-limit'
import { registry } from '../registry.js'
import type { Charge, Spend, Verdict } from './buckets.js'

export type Metering = { charges: readonly Charge[]; verdict?: Verdict }

export const beingMetered = registry<Metering>()

export function metered(spend: Spend): (place: string) => Promise<ClientRateLimitInfo> {
  return async (place) => {
    const call = beingMetered.get(Number(place))
    if (!call) throw new Error('This call is not being metered.')
    const verdict = (call.verdict = await spend(call.charges))
    const totalHits = verdict.passes ? verdict.burst - verdict.remaining : verdict.burst + 1
    return { totalHits, resetTime: undefined }
  }
}
