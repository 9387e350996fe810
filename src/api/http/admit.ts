/** Admits a call, in the order of the specification: credential, buckets, capability. */
import type { Request as ExpressRequest, Response } from 'express'
import type { Authority } from '../../core/access/authority.js'
import { presetsWith, type Capability } from '../../core/access/capabilities.js'
import { insufficientScope, invalidKey } from '../../core/errors.js'
import { bucketsOf, type Bucket, type Verdict } from '../../core/limits/buckets.js'
import type { Services } from '../../services.js'
import { findCaller, keyHashOf } from './authenticate.js'
import { callOf, type Call } from './call.js'
import { earlyStarts, type EarlyRead } from './early.js'
import { spend } from './meter.js'

/** A call that passed these checks. Its route checks the parameters and reads data. */
export type Admitted = {
  call: Call
  /** Undefined while the store of the buckets is away. */
  verdict: Verdict | undefined
  /** The answer as JSON text, where its read began while PostgreSQL looked the key up. */
  early: Promise<string> | undefined
}

/** Parses, asks and answers. */
export type Route = (call: Call, res: Response, early: Admitted['early']) => Promise<void>

type Checks = {
  capability: Capability
  /** The work of the call begins before its checks end: it spends and, where there is a read, reads. */
  startsEarly?: { read: EarlyRead | undefined }
}

export function admission(services: Services) {
  const starts = earlyStarts(services)
  return async (req: ExpressRequest, res: Response, { capability, startsEarly }: Checks): Promise<Admitted> => {
    const keyHash = keyHashOf(req)
    const early = startsEarly && starts.begin(keyHash, req.context, startsEarly.read)
    const caller = await findCaller(services, keyHash, req, res)
    if (!caller) {
      early?.forget()
      throw invalidKey()
    }
    req.context.caller = caller
    const verdict = await spend(services, early?.spending ?? { buckets: bucketsFor(services, caller, capability) }, res)
    requireCapability(caller, capability)
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
