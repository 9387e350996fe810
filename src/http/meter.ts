/** Spends a call from the buckets of its key and its organisation, and says where the caller stands. */
import { rateLimit } from 'express-rate-limit'
import type { RequestHandler } from 'express'
import { rateLimited } from '../errors.js'
import { chargesOf, waitSeconds } from '../limits/buckets.js'
import { beingMetered, type Metering } from '../limits/metered.js'
import type { Services } from '../services.js'
import { callerOf } from './authenticate.js'
import { sayPosition } from './position.js'

declare module 'express-serve-static-core' {
  interface Request {
    /** Its place while it is being metered. */
    meteredAt: number
  }
}

export function meter({ bucketStore, bucketSizes, metrics }: Services, kind: 'read' | 'insight'): RequestHandler {
  const limiter = rateLimit({
    store: bucketStore,
    // A store that is away stops nobody: the call passes, without the headers.
    passOnStoreError: true,
    logger: { error: () => {}, warn: () => {} },
    keyGenerator: ({ meteredAt }) => String(meteredAt),
    limit: ({ meteredAt }) => beingMetered.get(meteredAt)?.verdict?.burst ?? 0,
    standardHeaders: false,
    legacyHeaders: false,
    handler: ({ meteredAt }) => {
      const verdict = beingMetered.get(meteredAt)?.verdict
      if (!verdict) return
      metrics.countRefusal(verdict.name)
      throw rateLimited(verdict.name, verdict, waitSeconds(verdict))
    },
    // Its checks are for counts by address in fixed windows.
    validate: false,
  })
  return (req, res, next) => {
    const caller = callerOf(req)
    // A key that may not ask is refused after this: its 403s must not use up the questions of its colleagues.
    const asks = kind === 'insight' && caller.capabilities.includes('ask.query')
    const call: Metering = { charges: chargesOf(bucketSizes, caller, asks) }
    req.meteredAt = beingMetered.add(call)
    const answered = (error?: unknown) => {
      const { verdict } = call
      beingMetered.remove(req.meteredAt)
      if (verdict) sayPosition(res, verdict)
      else if (error === undefined) metrics.countUnmetered()
      next(error)
    }
    void limiter(req, res, answered)
  }
}
