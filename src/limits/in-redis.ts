/** Buckets in Redis, shared by all processes: the arithmetic of buckets.ts in one script, by the clock of Redis. */
import { createHash } from 'node:crypto'
import { RedisStore, type SendCommandFn } from 'rate-limit-redis'
import { microsPerCall, verdictOn, type Charge, type Spend, type Verdict } from './buckets.js'
import { metered } from './metered.js'
import type { RedisLink, Reply } from './redis-link.js'

export const SCRIPT = `
-- KEYS: the buckets of a call; of each, the microsecond at which it is full again.
-- ARGV: of each, the microseconds that one call takes to refill, and the calls of a burst.
-- Answers: 1 if the call passes, the place of the tightest bucket, whole calls left in it, microseconds to wait.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local lefts, eaches, afters = {}, {}, {}
local function keep(i, fullAt)
  redis.call('SET', KEYS[i], string.format('%.0f', fullAt), 'PX', math.max(1, math.ceil((fullAt - now) / 1000)))
end
local longest, tightest = 1, 1
for i = 1, #KEYS do
  local each = tonumber(ARGV[2 * i - 1])
  local capacity = each * tonumber(ARGV[2 * i])
  local before = math.max(tonumber(redis.call('GET', KEYS[i]) or now), now)
  if before > now + capacity then
    before = now + capacity
    keep(i, before)
  end
  eaches[i], afters[i], lefts[i] = each, before + each, now + capacity - before - each
  if lefts[i] < lefts[longest] then longest = i end
  if lefts[i] / each < lefts[tightest] / eaches[tightest] then tightest = i end
end
if lefts[longest] < 0 then return { 0, longest, 0, -lefts[longest] } end
for i = 1, #KEYS do keep(i, afters[i]) end
local remaining = math.floor(lefts[tightest] / eaches[tightest])
return { 1, tightest, remaining, eaches[tightest] * (remaining + 1) - lefts[tightest] }
`
const SHA1 = createHash('sha1').update(SCRIPT).digest('hex')

const PREFIX = 'frames:'

function bucketsInRedis(send: RedisLink['send']): Spend {
  return async (charges) => {
    const keys = charges.map(({ key }) => PREFIX + key)
    const sizes = charges.flatMap((charge) => [String(microsPerCall(charge)), String(charge.burst)])
    const rest = [String(keys.length), ...keys, ...sizes]
    try {
      return verdictOf(charges, await send('EVALSHA', SHA1, ...rest))
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return verdictOf(charges, await send('EVAL', SCRIPT, ...rest))
    }
  }
}

function verdictOf(charges: readonly Charge[], reply: Reply): Verdict {
  const [passes, place, remaining, wait] = Array.isArray(reply) ? reply.map(Number) : []
  const charge = charges[(place ?? 0) - 1]
  if (!charge || remaining === undefined || wait === undefined) throw new Error('Redis answered in another form.')
  return verdictOn(charge, passes === 1, remaining, wait)
}

/** Metering works where this does. */
export const probe = (send: RedisLink['send']) =>
  bucketsInRedis(send)([{ name: 'key', key: '{probe}', burst: 1000, perMinute: 60_000_000 }])

/** The store of rate-limit-redis counts one key in a fixed window: here it spends from all buckets of a call instead. */
export class BucketStore extends RedisStore {
  readonly #increment: RedisStore['increment']

  constructor({ send }: Pick<RedisLink, 'send'>) {
    super({ sendCommand: send as SendCommandFn, prefix: PREFIX })
    this.#increment = metered(bucketsInRedis(send))
  }

  override increment(key: string): ReturnType<RedisStore['increment']> {
    return this.#increment(key)
  }

  /** The parent loads its scripts here, and keeps a failure for ever where Redis is down at start. */
  override async init(): Promise<void> {}
}
