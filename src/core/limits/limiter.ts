/**
 * Meters calls. express-rate-limit contributes the order of the steps (key, store, limit, handler) and lets a call pass
 * while its store fails. RedisStore of rate-limit-redis contributes the prefix of the keys and `resetKey`, which fills
 * a bucket.
 *
 * Both count one key in a fixed window. Here the key is the place of the call in a list, and the store spends
 * from all its buckets.
 */
import { rateLimit, type ClientRateLimitInfo, type RateLimitRequestHandler, type Store } from 'express-rate-limit'
import { RedisStore, type SendCommandFn } from 'rate-limit-redis'
import { rateLimited } from '../errors.js'
import { registry } from '../runtime/index.js'
import { type Bucket, type Verdict, waitSeconds } from './buckets.js'
import { bucketsInProcess } from './in-process.js'
import { bucketsInRedis, KEY_PREFIX, peekInRedis } from './in-redis.js'
import type { RedisLink } from './redis-link.js'

/** express-rate-limit only hands these two on: a place in the list stands for the request. */
type Metered = { place: number }
const asRequest = (metered: Metered) => metered as unknown as Parameters<RateLimitRequestHandler>[0]
const meteredPlace = (req: object) => (req as Metered).place
const NO_RESPONSE = {} as Parameters<RateLimitRequestHandler>[1]

/** The verdict is present where the buckets spend before the call is metered. */
export type BucketSpending = { buckets: readonly Bucket[]; verdict?: Promise<Verdict> }
type MeteredCall = { spending: BucketSpending; verdict?: Verdict }

export type Limiter = ReturnType<typeof openLimiter>

/** Keeps the buckets in Redis, by its clock, or without Redis in the memory of this process, by `clock`. */
export function openLimiter(redis?: Pick<RedisLink, 'send'>, clock?: () => number) {
  const { spend, peek } = redis
    ? { spend: bucketsInRedis(redis.send), peek: peekInRedis(redis.send) }
    : bucketsInProcess(clock)
  const calls = registry<MeteredCall>()
  const verdictOf = (req: object) => calls.at(meteredPlace(req))?.verdict

  async function increment(place: string): Promise<ClientRateLimitInfo> {
    const call = calls.at(Number(place))
    if (!call) throw new Error(`Nothing is metered at place ${place}.`)
    const verdict = (call.verdict = await (call.spending.verdict ?? spend(call.spending.buckets)))
    const totalHits = verdict.passes ? verdict.burst - verdict.remaining : verdict.burst + 1
    return { totalHits, resetTime: undefined }
  }

  const limiter = rateLimit({
    store: redis ? storeInRedis(redis.send, increment) : { increment, decrement: () => {}, resetKey: () => {} },
    keyGenerator: (req) => String(meteredPlace(req)),
    limit: (req) => verdictOf(req)?.burst ?? 0,
    handler: (req) => {
      const verdict = verdictOf(req)
      if (verdict) throw rateLimited(verdict.name, verdict, waitSeconds(verdict))
    },
    passOnStoreError: true,
    logger: { error: () => {}, warn: () => {} },
    // The caller of `meter` sets the headers.
    standardHeaders: false,
    legacyHeaders: false,
    // These checks expect keys that are addresses.
    validate: false,
  })

  return {
    /** Spends without a request. */
    spend,
    peek,
    /** `done` gets no verdict while the store is away, and an error where the call is refused. */
    meter: (spending: BucketSpending, done: (verdict: Verdict | undefined, error?: unknown) => void): void => {
      const call: MeteredCall = { spending }
      const place = calls.add(call)
      void limiter(asRequest({ place }), NO_RESPONSE, (error?: unknown) => {
        calls.remove(place)
        done(call.verdict, error)
      })
    },
    waiting: () => calls.all().length,
  }
}

/** RedisStore loads scripts of its own in `init`, and keeps a failure for ever if Redis is down at start. */
const storeInRedis = (send: RedisLink['send'], increment: Store['increment']): Store =>
  Object.assign(new RedisStore({ sendCommand: send as SendCommandFn, prefix: KEY_PREFIX }), {
    init: async () => {},
    increment,
  })
