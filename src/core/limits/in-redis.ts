/** Keeps buckets in a Redis that all processes share. A script does the arithmetic of buckets.ts by its clock. */
import { createHash } from 'node:crypto'
import { batch } from '../batch.js'
import { type Bucket, microsPerCall, type Spend, type Verdict, verdictOn } from './buckets.js'
import { askServer, type LinkOptions, linkToServer, type RedisLink, type Reply } from './redis-link.js'
import { type RedisSetting, redisSetting } from './redis-url.js'
import { registry } from '../runtime/registry.js'

export const SCRIPT = `
-- KEYS: the buckets of the first call, then those of the second, and so on. A key holds the microsecond at which the
-- bucket is full.
-- ARGV: one text for each call. It lists for each bucket the microseconds in which one call refills, and the calls of a
-- burst.
-- Returns four numbers for each call: 1 if it passes, the position of its tightest bucket, the whole calls left in that
-- bucket, and the microseconds to wait.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local kept, moved, sizes = {}, {}, {}
local function stored(key)
  -- With "call" a key of another type would fail every call of this run.
  local text = redis.pcall('GET', key)
  -- This script writes digits only. Any other text counts as a new bucket, and the next call that passes overwrites it.
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

export const KEY_PREFIX = 'frames:'

/** A call waits this long in all: for its batch, for the script, and for a second try if Redis lacks the script. */
const WAIT_MS = 1000

/** One run of the script decides all calls of a batch, one after the other. */
export function bucketsInRedis(send: RedisLink['send']): Spend {
  const inTime = sharedTimeout(WAIT_MS)
  const spend = batchOfCalls(send)
  return (buckets) => inTime(spend(buckets))
}

const batchOfCalls = (send: RedisLink['send']): Spend =>
  batch(async (calls: (readonly Bucket[])[]) => {
    const keys = calls.flatMap((buckets) => buckets.map(({ key }) => KEY_PREFIX + key))
    const rest = [String(keys.length), ...keys, ...calls.map(sizesText)]
    try {
      return verdictsOf(calls, await send('EVALSHA', SHA1, ...rest))
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return verdictsOf(calls, await send('EVAL', SCRIPT, ...rest))
    }
  })

export const sizesText = (buckets: readonly Bucket[]) =>
  buckets.map((bucket) => `${microsPerCall(bucket)} ${bucket.burst}`).join(' ')

function verdictsOf(calls: readonly (readonly Bucket[])[], reply: Reply): Verdict[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  if (numbers.length !== 4 * calls.length)
    throw new Error(`Unexpected reply from Redis: ${JSON.stringify(reply).slice(0, 100)}`)
  return calls.map((buckets, call) => {
    const [passes, index = 0, remaining = 0, wait = 0] = numbers.slice(4 * call, 4 * call + 4)
    const bucket = buckets[index - 1]
    if (!bucket) throw new Error(`Unexpected reply from Redis: ${JSON.stringify(reply).slice(0, 100)}`)
    return verdictOn(bucket, passes === 1, remaining, wait)
  })
}

/** Spends from a bucket that is always full: a Redis that answers this can meter. */
export const probe = (send: RedisLink['send']) =>
  bucketsInRedis(send)([{ name: 'key', key: '{probe}', burst: 1000, perMinute: 60_000_000 }])

const TICKS = 5
/** A tick is late when it comes by more than this part of the interval after its time. */
const LATE_BY = 0.25

/** `tick` is the last one before the promise came. */
type Pending = { tick: number; reject: () => void }

/**
 * Gives many promises a timeout by one timer. The timer ticks while promises wait, and rejects a promise at its fifth
 * tick. A tick that comes late does not count: the process was busy, and its own slowness is not a fault of the store.
 */
function sharedTimeout(ms: number): <Answer>(answer: Promise<Answer>) => Promise<Answer> {
  const interval = ms / TICKS
  /** A promise leaves as soon as it settles: kept until its tick, each would grow old, and V8 collect it late. */
  const waiting = registry<Pending>()
  let timer: NodeJS.Timeout | undefined
  let ticks = 0
  let lastTick = 0

  function start(): void {
    lastTick = performance.now()
    timer = setInterval(onTick, interval)
    timer.unref()
  }

  function onTick(): void {
    const now = performance.now()
    const isLate = now - lastTick > (1 + LATE_BY) * interval
    lastTick = now
    if (isLate) return
    ticks += 1
    const all = waiting.all()
    for (const { tick, reject } of all) if (ticks - tick >= TICKS) reject()
    if (all.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (answer) =>
    new Promise((resolve, reject) => {
      if (!timer) start()
      const place = waiting.add({
        tick: ticks,
        reject: () => reject(new Error(`The store did not answer within ${ms} ms.`)),
      })
      answer.then(resolve, reject).finally(() => waiting.remove(place))
    })
}

export function linkToRedis(url: string, options: LinkOptions): RedisLink {
  const setting = redisSetting(url) ?? { kind: 'server', url }
  const findUrl = async () => (setting.kind === 'sentinel' ? await findPrimary(setting) : setting.url)
  return linkToServer(findUrl, options)
}

type Sentinels = Extract<RedisSetting, { kind: 'sentinel' }>

/** Answers as soon as most Sentinels name the same server: one that is cut off may still name the old primary. */
async function findPrimary({ sentinels, primary, urlOf }: Sentinels): Promise<string> {
  const votes = new Map<string, number>()
  const askOne = async (sentinel: string): Promise<string | undefined> => {
    const { host, port } = await nameOfPrimary(sentinel, primary)
    const count = (votes.get(urlOf(host, port)) ?? 0) + 1
    votes.set(urlOf(host, port), count)
    return count > sentinels.length / 2 ? urlOf(host, port) : undefined
  }
  const answers = sentinels.map(askOne)
  const agreed = answers.map(async (answer) => (await answer) ?? Promise.reject(new Error('too few agree so far')))
  try {
    return await Promise.any(agreed)
  } catch {
    const [most] = [...votes].sort(([, one], [, other]) => other - one)
    // Without a vote, every answer failed, and the first says why.
    return most?.[0] ?? (await answers[0]) ?? ''
  }
}

async function nameOfPrimary(sentinel: string, primary: string): Promise<{ host: string; port: number }> {
  const reply = await askServer(sentinel, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primary)
  const [host, port] = Array.isArray(reply) ? reply : []
  if (typeof host !== 'string') throw new Error(`no Sentinel knows the primary "${primary}"`)
  return { host, port: Number(port) }
}
