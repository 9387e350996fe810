/** Spends a request from buckets, and says in the RateLimit headers how much of the tightest is left. */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import { type Bucket, type BucketSpending, fillSeconds, type Verdict, waitSeconds } from '../../core/limits/index.js'
import type { Services } from '../../services.js'

type MeterServices = Pick<Services, 'limiter' | 'metrics'>

/** Rejects where a bucket is spent. Returns undefined while the store of the buckets is away. */
export const spend = (services: MeterServices, spending: BucketSpending, res: Response): Promise<Verdict | undefined> =>
  new Promise((resolve, reject) => {
    meterSpending(services, spending, res, (verdict, error) => (error === undefined ? resolve(verdict) : reject(error)))
  })

/** A request without a bucket passes. */
export function meterBuckets(
  services: MeterServices,
  bucketsOfRequest: (req: ExpressRequest) => readonly Bucket[],
): RequestHandler {
  return (req, res, next) => {
    const buckets = bucketsOfRequest(req)
    if (buckets.length === 0) return next()
    meterSpending(services, { buckets }, res, (_verdict, error) => next(error))
  }
}

function meterSpending(
  { limiter, metrics }: MeterServices,
  spending: BucketSpending,
  res: Response,
  done: (verdict: Verdict | undefined, error?: unknown) => void,
): void {
  limiter.meter(spending, (verdict, error) => {
    if (verdict) setRateLimitHeaders(res, verdict)
    else if (error === undefined) metrics.count('frames_unmetered_calls_total', {})
    if (verdict?.passes === false) {
      res.req.context.spentBucket = verdict.name
      metrics.count('frames_bucket_refusals_total', { bucket: verdict.name })
    }
    done(verdict, error)
  })
}

/** The fields follow the IETF draft on RateLimit headers: calls left, and seconds until there is one more. */
export function setRateLimitHeaders(res: Response, verdict: Verdict): void {
  res.setHeader('RateLimit', `"${verdict.name}";r=${verdict.remaining};t=${waitSeconds(verdict)}`)
  res.setHeader('RateLimit-Policy', `"${verdict.name}";q=${verdict.burst};w=${fillSeconds(verdict)}`)
}
