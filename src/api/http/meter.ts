/** Spends a call from the buckets of its key and its organisation, and sets the RateLimit headers. */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import { bucketsOf, type Bucket } from '../../core/limits/buckets.js'
import type { Services } from '../../services.js'
import { callerOf } from './authenticate.js'
import { setRateLimitHeaders } from './rate-limit-headers.js'

export function meter(services: Services, kind: 'read' | 'insight'): RequestHandler {
  return meterBuckets(services, (req) => {
    const caller = callerOf(req)
    // A key without ask.query is refused later: its 403s must not use up the questions of its colleagues.
    const asks = kind === 'insight' && caller.capabilities.includes('ask.query')
    return bucketsOf(services.bucketSizes, caller, asks)
  })
}

/** A request without a bucket passes. */
export function meterBuckets(
  { limiter, metrics }: Services,
  bucketsFor: (req: ExpressRequest) => readonly Bucket[],
): RequestHandler {
  return (req, res, next) => {
    const spending = req.context.early?.spending ?? { buckets: bucketsFor(req) }
    if (spending.buckets.length === 0) return next()
    limiter.meter(spending, (verdict, error) => {
      if (verdict) setRateLimitHeaders(res, verdict)
      else if (error === undefined) metrics.countUnmetered()
      if (verdict?.passes === false) {
        req.context.spentBucket = verdict.name
        metrics.countRefusal(verdict.name)
      }
      next(error)
    })
  }
}
