/**
 * The way between express-rate-limit, which hands its store a text and takes a count, and buckets, which take several charges
 * and give a verdict: both travel beside the call.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientRateLimitInfo } from 'express-rate-limit'
import type { Charge, Spend, Verdict } from './buckets.js'

export type Metering = { charges: readonly Charge[]; verdict?: Verdict }

export const metering = new AsyncLocalStorage<Metering>()

export function metered(spend: Spend): (key: string) => Promise<ClientRateLimitInfo> {
  return async () => {
    const call = metering.getStore()
    if (!call) throw new Error('A call is metered inside metering.run.')
    const verdict = (call.verdict = await spend(call.charges))
    const totalHits = verdict.passes ? verdict.burst - verdict.remaining : verdict.burst + 1
    return { totalHits, resetTime: undefined }
  }
}
