/**
 * Starts work of a call while PostgreSQL still looks its key up: the buckets spend, and a read begins. The call then
 * waits for one round trip, not for three. Only a key whose last call passed all checks starts early.
 *
 * The checks keep their order, and each decides on its own answer. The call drops the early verdict and the early read
 * if an earlier check refuses it. A secret never moves to another key or organisation, so the buckets are the right ones.
 *
 * A refusal makes the process forget the key, so that refused calls cost no reads. Until the first refusal, a key that
 * was revoked still spends from the buckets of its organisation, with the calls that are under way at that moment.
 */
import type { Request as ExpressRequest } from 'express'
import { dropOldest } from '../../core/limits/address-buckets.js'
import { bucketsOf } from '../../core/limits/buckets.js'
import type { Spending } from '../../core/limits/limiter.js'
import type { Services } from '../../services.js'

/** Reads the answer of a route, as JSON text. */
export type EarlyRead = (context: ExpressRequest['context']) => Promise<string>

type EarlyStart = {
  spending: Spending
  /** Undefined on a route that reads nothing early. */
  answer: Promise<string> | undefined
  /** Later calls of this key start after their checks. */
  forget: () => void
}

/** A full map takes about 2 MB. A new entry then replaces the oldest. */
const KEYS_MAX = 10_000

export function earlyStarts({ limiter, bucketSizes, addressBuckets }: Services) {
  /** The keys whose last call passed, by the hash of their secret. */
  const passed = new Map<string, { orgId: string; keyId: string }>()

  /** Comes before the checks. Undefined: the call starts after them. */
  function begin(
    keyHash: string,
    context: ExpressRequest['context'],
    read: EarlyRead | undefined,
  ): EarlyStart | undefined {
    const key = passed.get(keyHash)
    // The bucket of the address may still refuse this call.
    if (!key || addressBuckets?.isGoodKey(keyHash) === false) return undefined
    const forget = () => void passed.delete(keyHash)
    const buckets = bucketsOf(bucketSizes, key, false)
    const verdict = limiter.spend(buckets)
    verdict.then(({ passes }) => passes || forget(), ignore)
    const answer = read?.(context)
    answer?.catch(ignore)
    return { spending: { buckets, verdict }, answer, forget }
  }

  /** Comes after the checks. */
  function remember(keyHash: string, { orgId, keyId }: { orgId: string; keyId: string }): void {
    if (passed.has(keyHash)) return
    passed.set(keyHash, { orgId, keyId })
    dropOldest(passed, KEYS_MAX)
  }

  return { begin, remember }
}

/** The check or the route that awaits the promise reports its failure. */
const ignore = () => {}
