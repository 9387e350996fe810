/** Sets the RateLimit headers, which say how much of the tightest bucket is left. */
import type { Response } from 'express'
import { fillSeconds, waitSeconds, type Verdict } from '../../core/limits/buckets.js'

/** The fields follow the IETF draft on RateLimit headers: calls left, and seconds until there is one more. */
export function setRateLimitHeaders(res: Response, verdict: Verdict): void {
  res.setHeader('RateLimit', `"${verdict.name}";r=${verdict.remaining};t=${waitSeconds(verdict)}`)
  res.setHeader('RateLimit-Policy', `"${verdict.name}";q=${verdict.burst};w=${fillSeconds(verdict)}`)
}
