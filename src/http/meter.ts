/** Spends a call from the buckets of its key and its organisation, and says where the caller stands. */
import { rateLimit } from 'express-rate-limit'
import type { RequestHandler, Response } from 'express'
import { rateLimited } from '../errors.js'
import { chargesOf, fillSeconds, waitSeconds, type BucketSizes, type Verdict } from '../limits/buckets.js'
import { beingMetered, type Metering } from '../limits/metered.js'
import type { Services } from '../services.js'
import { callerOf } from './authenticate.js'

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
    limit: ({ meteredAt }) => beingMetered.at(meteredAt)?.verdict?.burst ?? 0,
    standardHeaders: false,
    legacyHeaders: false,
    handler: ({ meteredAt }) => {
      const verdict = beingMetered.at(meteredAt)?.verdict
      if (!verdict) return
      metrics.refusedBy(verdict.name)
      throw rateLimited(verdict.name, bucketSizes[verdict.name], waitSeconds(verdict))
    },
    // Its checks are for counts by address in fixed windows.
    validate: false,
  })
  return (req, res, next) => {
    const call: Metering = { charges: chargesOf(bucketSizes, callerOf(req), kind === 'insight') }
    req.meteredAt = beingMetered.take(call)
    const answered = (error?: unknown) => {
      const { verdict } = call
      beingMetered.leave(req.meteredAt)
      if (verdict) sayPosition(res, verdict, bucketSizes)
      else if (error === undefined) metrics.passedUnmetered()
      next(error)
    }
    void limiter(req, res, answered)
  }
}

/** As the IETF draft on RateLimit fields has them: calls left, and seconds until there is one more. */
function sayPosition(res: Response, verdict: Verdict, sizes: BucketSizes): void {
  const size = sizes[verdict.name]
  res.setHeader('RateLimit', `"${verdict.name}";r=${verdict.remaining};t=${waitSeconds(verdict)}`)
  res.setHeader('RateLimit-Policy', `"${verdict.name}";q=${size.burst};w=${fillSeconds(size)}`)
}
