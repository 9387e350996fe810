/** Spends a call from the buckets of its key and its organisation, and says where the caller stands. */
import { rateLimit } from 'express-rate-limit'
import type { RequestHandler, Response } from 'express'
import { rateLimited } from '../errors.js'
import { chargesOf, fillSeconds, waitSeconds, type BucketSizes, type Verdict } from '../limits/buckets.js'
import { beingMetered } from '../limits/metered.js'
import type { Services } from '../services.js'
import { callerOf } from './authenticate.js'

export function meter({ bucketStore, bucketSizes, metrics }: Services, kind: 'read' | 'insight'): RequestHandler {
  const limiter = rateLimit({
    store: bucketStore,
    // A store that is away stops nobody: the call passes, without the headers.
    passOnStoreError: true,
    logger: { error: () => {}, warn: () => {} },
    keyGenerator: (_req, res) => idOf(res),
    limit: (_req, res) => beingMetered.get(idOf(res))?.verdict?.burst ?? 0,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_req, res) => {
      const verdict = beingMetered.get(idOf(res))?.verdict
      if (!verdict) return
      metrics.refusedBy(verdict.name)
      throw rateLimited(verdict.name, bucketSizes[verdict.name], waitSeconds(verdict))
    },
    // Its checks are for counts by address in fixed windows.
    validate: false,
  })
  return (req, res, next) => {
    const id = idOf(res)
    beingMetered.set(id, { charges: chargesOf(bucketSizes, callerOf(req), kind === 'insight') })
    const answered = (error?: unknown) => {
      const verdict = beingMetered.get(id)?.verdict
      beingMetered.delete(id)
      if (verdict) res.set(positionHeaders(verdict, bucketSizes))
      else if (error === undefined) metrics.passedUnmetered()
      next(error)
    }
    void limiter(req, res, answered)
  }
}

/** Our own, never the caller's: no two calls have the same. */
const idOf = (res: Response<unknown>) => String(res.getHeader('X-Request-Id'))

/** As the IETF draft on RateLimit fields has them: calls left, and seconds until there is one more. */
function positionHeaders(verdict: Verdict, sizes: BucketSizes): Record<string, string> {
  const size = sizes[verdict.name]
  return {
    RateLimit: `"${verdict.name}";r=${verdict.remaining};t=${waitSeconds(verdict)}`,
    'RateLimit-Policy': `"${verdict.name}";q=${size.burst};w=${fillSeconds(size)}`,
  }
}
