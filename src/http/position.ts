/** Where a caller stands with the bucket that decided. */
import type { Response } from 'express'
import { fillSeconds, waitSeconds, type Verdict } from '../limits/buckets.js'

/** As the IETF draft on RateLimit fields has them: calls left, and seconds until there is one more. */
export function sayPosition(res: Response, verdict: Verdict): void {
  res.setHeader('RateLimit', `"${verdict.name}";r=${verdict.remaining};t=${waitSeconds(verdict)}`)
  res.setHeader('RateLimit-Policy', `"${verdict.name}";q=${verdict.burst};w=${fillSeconds(verdict)}`)
}
