/** Spends a call from the buckets of its key and its organisation, and sets the RateLimit headers. */
import type { RequestHandler } from 'express'
import { bucketsOf } from '../limits/buckets.js'
import type { Services } from '../services.js'
import { callerOf } from './authenticate.js'
import { setRateLimitHeaders } from './rate-limit-headers.js'

export function meter({ limiter, bucketSizes, metrics }: Services, kind: 'read' | 'insight'): RequestHandler {
  return (req, res, next) => {
    const caller = callerOf(req)
    // A key without ask.query is refused later: its 403s must not use up the questions of its colleagues.
    const asks = kind === 'insight' && caller.capabilities.includes('ask.query')
    limiter.meter(req, res, bucketsOf(bucketSizes, caller, asks), (verdict, error) => {
      if (verdict) setRateLimitHeaders(res, verdict)
      else if (error === undefined) metrics.countUnmetered()
      if (verdict?.passes === false) {
        req.spentBucket = verdict.name
        metrics.countRefusal(verdict.name)
      }
      next(error)
    })
  }
}
