/** Admits a call, in the order of the specification: credential, buckets, capability. */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import { findCaller, keyHashOf } from './authenticate.js'
import { type Call, callOf } from './call.js'
import { setRateLimitHeaders, spend } from './meter.js'
import { type Authority, type Capability, presetsWith, testPurpose } from '../../core/access/index.js'
import { insufficientScope, internal, rateLimited } from '../../core/errors.js'
import { type Bucket, bucketsOf, dropOldest } from '../../core/limits/index.js'
import type { Services } from '../../services.js'

/** Checks the parameters and reads data, once its call is admitted. `early`: the answer, where its read began early. */
export type Route = (call: Call, res: Response, early: Promise<string> | undefined) => Promise<void>

/** Reads the answer of a route, as JSON text. */
type EarlyRead = (context: ExpressRequest['context']) => Promise<string>

/** A call that any key may make has no capability. */
export type Admit = (capability: Capability | undefined, route: Route, read?: EarlyRead) => RequestHandler

/** A full map takes about 4 MB. A new entry then replaces the oldest. */
const KEYS_MAX = 10_000

/**
 * A call that reads, of a key whose last call passed, does not wait for three answers in turn: it spends, and `read`
 * begins, while PostgreSQL looks the key up. Each check decides on its own answer all the same, in its order, and a
 * refused call drops what began early. A secret never moves to another key or organisation, so the buckets are the right
 * ones. Until its first refusal, a key that was revoked still spends from the buckets of its organisation.
 */
export function admission(services: Services): Admit {
  const { addressBuckets, limiter } = services
  /** The buckets of the keys whose last call passed, by the hash of their secret. */
  const passed = new Map<string, Bucket[]>()
  return (capability, route, read) => async (req, res) => {
    const keyHash = keyHashOf(req)
    const isRead = capability === 'frame.read'
    // The bucket of the address may refuse a key that is not known to be good.
    const known = isRead && addressBuckets?.isGoodKey(keyHash) !== false ? passed.get(keyHash) : undefined
    const spending = known && limiter.spend(known)
    const early = known && read?.(req.context)
    early?.catch(ignore)
    let caller: Authority
    try {
      caller = await findCaller(services, keyHash, req, res)
      const buckets = known ?? bucketsFor(services, caller, capability)
      await spend(services, spending ?? limiter.spend(buckets), res)
      failAsTestKey(services, caller, capability, res)
      if (capability) requireCapability(caller, capability)
      if (isRead && !known) dropOldest(passed.set(keyHash, buckets), KEYS_MAX)
    } catch (refusal) {
      // Refused calls cost no reads: the next one starts after its checks.
      passed.delete(keyHash)
      throw refusal
    }
    await route(callOf(caller, req, res), res, early)
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

/** Comes after the buckets: a test key that always fails spends as others do. */
export function failAsTestKey(
  { bucketSizes }: Pick<Services, 'bucketSizes'>,
  caller: Authority,
  capability: Capability | undefined,
  res: Response,
): void {
  const purpose = testPurpose(caller)
  if (purpose === '403') requireCapability({ ...caller, capabilities: [] }, capability ?? 'frame.read')
  if (purpose === '500') throw internal()
  if (purpose !== '429') return
  const { key } = bucketSizes
  setRateLimitHeaders(res, { ...key, passes: false, name: 'key', remaining: 0, waitMicros: 1_000_000 })
  throw rateLimited('key', key, 1)
}

/** The route that awaits the answer reports its failure. */
const ignore = () => {}
