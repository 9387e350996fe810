/** Admits a call, in the order of the specification: credential, buckets, capability. */
import type { Request as ExpressRequest, Response } from 'express'
import { findCaller, keyHashOf } from './authenticate.js'
import { type Call, callOf } from './call.js'
import { spend } from './meter.js'
import { type Authority, type Capability, presetsWith } from '../../core/access/index.js'
import { insufficientScope, invalidKey } from '../../core/errors.js'
import { type Bucket, bucketsOf, dropOldest, type Verdict } from '../../core/limits/index.js'
import type { Services } from '../../services.js'

/** A call that passed these checks. Its route checks the parameters and reads data. */
export type Admitted = {
  call: Call
  /** Undefined while the store of the buckets is away. */
  verdict: Verdict | undefined
  /** The answer as JSON text, where its read began while PostgreSQL looked the key up. */
  early: Promise<string> | undefined
}

export type Route = (call: Call, res: Response, early: Admitted['early']) => Promise<void>

type Admission = {
  /** Undefined for a call that any key may make. */
  capability: Capability | undefined
  /** The work of the call begins before its checks end: it spends and, where there is a read, reads. */
  startsEarly?: { read: EarlyRead | undefined }
}

export function admission(services: Services) {
  const starts = earlyStarts(services)
  return async (req: ExpressRequest, res: Response, { capability, startsEarly }: Admission): Promise<Admitted> => {
    const keyHash = keyHashOf(req)
    const early = startsEarly && starts.begin(keyHash, req.context, startsEarly.read)
    const caller = await findCaller(services, keyHash, req, res)
    if (!caller) {
      early?.forget()
      throw invalidKey()
    }
    req.context.caller = caller
    const verdict = await spend(services, early?.spending ?? { buckets: bucketsFor(services, caller, capability) }, res)
    if (capability) requireCapability(caller, capability)
    if (startsEarly) starts.remember(keyHash, caller)
    return { call: callOf(caller, req, res), verdict, early: early?.answer }
  }
}

/** A key without ask.query is refused later: its 403s must not use up the questions of its colleagues. */
export function bucketsFor({ bucketSizes }: Services, caller: Authority, capability: Capability | undefined): Bucket[] {
  const asks = capability === 'ask.query' && caller.capabilities.includes('ask.query')
  return bucketsOf(bucketSizes, caller, asks)
}

export function requireCapability(caller: Authority, capability: Capability): void {
  if (!caller.capabilities.includes(capability)) throw insufficientScope(capability, presetsWith(capability))
}

/** Reads the answer of a route, as JSON text. */
type EarlyRead = (context: ExpressRequest['context']) => Promise<string>

/** A full map takes about 2 MB. A new entry then replaces the oldest. */
const KEYS_MAX = 10_000

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
function earlyStarts({ limiter, bucketSizes, addressBuckets }: Services) {
  /** The keys whose last call passed, by the hash of their secret. */
  const passed = new Map<string, { orgId: string; keyId: string }>()

  /** Comes before the checks. Undefined: the call starts after them. */
  function begin(keyHash: string, context: ExpressRequest['context'], read: EarlyRead | undefined) {
    const key = passed.get(keyHash)
    // The bucket of the address may still refuse this call.
    if (!key || addressBuckets?.isGoodKey(keyHash) === false) return undefined
    /** Later calls of this key start after their checks. */
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
