/** Buckets in one Redis, shared by all processes: the arithmetic of buckets.ts in one script, by the clock of Redis. */
import { createHash } from 'node:crypto'
import { RedisStore, type SendCommandFn } from 'rate-limit-redis'
import { batch } from '../batch.js'
import { microsPerCall, verdictOn, type Charge, type Spend, type Verdict } from './buckets.js'
import { metered } from './metered.js'
import { patience } from './patience.js'
import type { RedisLink, Reply } from './redis-link.js'

export const SCRIPT = `
-- KEYS: the buckets of each call, one call after the other; of each, the microsecond at which it is full again.
-- ARGV: of each call, for each of its buckets, the microseconds that one call takes to refill, and the calls of a burst.
-- Answers, for each call: 1 if it passes, the place of its tightest bucket, whole calls left in it, microseconds to wait.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local kept, moved, sizes = {}, {}, {}
local function stored(key)
  -- Not "call": a key of another type would fail the calls of everybody else in this run.
  local text = redis.pcall('GET', key)
  -- Anything but digits was not written here: the bucket counts as new, and the next call that passes writes over it.
  return type(text) == 'string' and string.match(text, '^%d+$') and tonumber(text)
end
local function fullAt(key)
  kept[key] = kept[key] or stored(key) or now
  return kept[key]
end
local function keep(key, instant)
  kept[key], moved[key] = instant, true
end
local function sizesOf(text)
  if not sizes[text] then
    sizes[text] = {}
    for number in string.gmatch(text, '%d+') do table.insert(sizes[text], tonumber(number)) end
  end
  return sizes[text]
end
local answers, first = {}, 0
for call = 1, #ARGV do
  local size = sizesOf(ARGV[call])
  local buckets = #size / 2
  local lefts, eaches, afters = {}, {}, {}
  local longest, tightest = 1, 1
  for i = 1, buckets do
    local key, each = KEYS[first + i], size[2 * i - 1]
    local capacity = each * size[2 * i]
    local before = math.max(fullAt(key), now)
    if before > now + capacity then
      before = now + capacity
      keep(key, before)
    end
    eaches[i], afters[i], lefts[i] = each, before + each, now + capacity - before - each
    if lefts[i] < lefts[longest] then longest = i end
    if lefts[i] / each < lefts[tightest] / eaches[tightest] then tightest = i end
  end
  local passes, place, remaining, wait = 0, longest, 0, -lefts[longest]
  if lefts[longest] >= 0 then
    for i = 1, buckets do keep(KEYS[first + i], afters[i]) end
    passes, place, remaining = 1, tightest, math.floor(lefts[tightest] / eaches[tightest])
    wait = eaches[tightest] * (remaining + 1) - lefts[tightest]
  end
  for _, number in ipairs({ passes, place, remaining, wait }) do table.insert(answers, number) end
  first = first + buckets
end
for key in pairs(moved) do
  redis.call('SET', key, string.format('%.0f', kept[key]), 'PX', math.max(1, math.ceil((kept[key] - now) / 1000)))
end
return answers
`
const SHA1 = createHash('sha1').update(SCRIPT).digest('hex')

const PREFIX = 'frames:'

/** How long a call waits in all: for others before it, for the script, and for the script once more where Redis has to be sent it. */
const WAIT_MS = 1000

/** Calls that wait together are decided by one run of the script, one after the other. */
function bucketsInRedis(send: RedisLink['send']): Spend {
  const inTime = patience(WAIT_MS)
  const spend = batch(async (calls: (readonly Charge[])[]) => {
    const keys = calls.flatMap((charges) => charges.map(({ key }) => PREFIX + key))
    const rest = [String(keys.length), ...keys, ...calls.map(sizesText)]
    try {
      return verdictsOf(calls, await send('EVALSHA', SHA1, ...rest))
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return verdictsOf(calls, await send('EVAL', SCRIPT, ...rest))
    }
  })
  return (charges) => inTime(spend(charges))
}

export const sizesText = (charges: readonly Charge[]) =>
  charges.map((charge) => `${microsPerCall(charge)} ${charge.burst}`).join(' ')

function verdictsOf(calls: readonly (readonly Charge[])[], reply: Reply): Verdict[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  if (numbers.length !== 4 * calls.length) throw new Error('Redis answered in another form.')
  return calls.map((charges, call) => {
    const [passes, place = 0, remaining = 0, wait = 0] = numbers.slice(4 * call, 4 * call + 4)
    const charge = charges[place - 1]
    if (!charge) throw new Error('Redis answered in another form.')
    return verdictOn(charge, passes === 1, remaining, wait)
  })
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
