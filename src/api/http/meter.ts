/** Spends a request from buckets, and says in the RateLimit headers how much of the tightest is left. */
import type { Response } from 'express'
import { fillSeconds, type Verdict, waitSeconds } from '../../core/limits/index.js'
import type { Services } from '../../services.js'

/** Rejects where a bucket is spent. The request passes while the store of the buckets is away. */
export async function spend(
  { limiter, metrics }: Pick<Services, 'limiter' | 'metrics'>,
  spending: ReturnType<Services['limiter']['spend']>,
  res: Response,
): Promise<void> {
  const verdict = await spending
  if (verdict) setRateLimitHeaders(res, verdict)
  else metrics.count('frames_unmetered_calls_total', {})
  if (verdict?.passes === false) {
    res.req.context.spentBucket = verdict.name
    metrics.count('frames_bucket_refusals_total', { bucket: verdict.name })
  }
  await limiter.enforce(verdict)
}

/** The fields follow the IETF draft on RateLimit headers: calls left, and seconds until there is one more. */
export function setRateLimitHeaders(res: Response, verdict: Verdict): void {
  res.setHeader('RateLimit', `"${verdict.name}";r=${verdict.remaining};t=${waitSeconds(verdict)}`)
  res.setHeader('RateLimit-Policy', `"${verdict.name}";q=${verdict.burst};w=${fillSeconds(verdict)}`)
}
