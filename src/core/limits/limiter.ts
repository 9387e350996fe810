/**
 * Meters calls. express-rate-limit contributes the order of the steps (key, store, limit, handler) and lets a call pass
 * while its store fails. RedisStore of rate-limit-redis contributes the prefix of the keys and `resetKey`, which fills
 * a bucket.
 *
 * Both count one key in a fixed window. Here the buckets decide first, and their verdict stands for the request and for
 * its key.
 */
import { rateLimit, type ClientRateLimitInfo, type RateLimitRequestHandler, type Store } from 'express-rate-limit'
import { RedisStore, type SendCommandFn } from 'rate-limit-redis'
import { rateLimited } from '../errors.js'
import { type BucketStore, type Verdict, waitSeconds } from './buckets.js'
import { bucketsInProcess } from './in-process.js'
import { bucketsInRedis, KEY_PREFIX } from './in-redis.js'
import type { RedisLink } from './redis-link.js'

/** The verdict is undefined while the store is away. */
type Metered = { verdict: Verdict | undefined }
const asRequest = (metered: Metered) => metered as unknown as Parameters<RateLimitRequestHandler>[0]
const verdictOf = (passedOn: unknown) => (passedOn as Metered).verdict
const NO_RESPONSE = {} as Parameters<RateLimitRequestHandler>[1]

export type Limiter = ReturnType<typeof openLimiter>

/** Keeps the buckets in Redis, by its clock, or without Redis in the memory of this process, by `clock`. */
export function openLimiter(redis?: Pick<RedisLink, 'send'>, clock?: () => number) {
  const { spend, peek }: BucketStore<undefined> = redis ? bucketsInRedis(redis.send) : bucketsInProcess(clock)
  const limiter = rateLimit({
    store: redis ? storeInRedis(redis.send) : { increment, decrement: () => {}, resetKey: () => {} },
    keyGenerator: (req) => req as unknown as string,
    limit: (req) => verdictOf(req)?.burst ?? 0,
    handler: (req) => {
      const verdict = verdictOf(req)
      if (verdict) throw rateLimited(verdict.name, verdict, waitSeconds(verdict))
    },
    passOnStoreError: true,
    logger: { error: () => {}, warn: () => {} },
    // The caller of `enforce` sets the headers.
    standardHeaders: false,
    legacyHeaders: false,
    // These checks expect keys that are addresses.
    validate: false,
  })
  return {
    spend,
    peek,
    /** Rejects where the verdict refuses the call. */
    enforce: (verdict: Verdict | undefined): Promise<void> =>
      new Promise((pass, refuse) => {
        void limiter(asRequest({ verdict }), NO_RESPONSE, (error?: unknown) => (error ? refuse(error) : pass()))
      }),
  }
}

async function increment(key: unknown): Promise<ClientRateLimitInfo> {
  const verdict = verdictOf(key)
  if (!verdict) throw new Error('The store of the buckets is away.')
  return { totalHits: verdict.passes ? verdict.burst - verdict.remaining : verdict.burst + 1, resetTime: undefined }
}

/** RedisStore loads scripts of its own in `init`, and keeps a failure for ever if Redis is down at start. */
const storeInRedis = (send: RedisLink['send']): Store =>
  Object.assign(new RedisStore({ sendCommand: send as SendCommandFn, prefix: KEY_PREFIX }), {
    init: async () => {},
    increment,
  })
