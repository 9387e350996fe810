/** Keeps buckets in a Redis that all processes share. buckets.lua does the arithmetic of buckets.ts by its clock. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { batch } from '../batch.js'
import { projectFolder } from '../db/index.js'
import { type Bucket, type BucketStore, leftAt, microsPerCall, type Verdict, verdictOn } from './buckets.js'
import { askServer, type LinkOptions, linkToServer, type RedisLink, type Reply } from './redis-link.js'
import { type RedisSetting, redisSetting } from './redis-url.js'
import { registry } from '../runtime/index.js'

export const SCRIPT = readFileSync(new URL('src/core/limits/buckets.lua', projectFolder), 'utf8')
const SHA1 = createHash('sha1').update(SCRIPT).digest('hex')

export const KEY_PREFIX = 'frames:'

/** A call waits this long in all: for its batch, for the script, and for a second try if Redis lacks the script. */
const WAIT_MS = 1000

/** One run of the script decides all calls of a batch, one after the other. */
export function bucketsInRedis(send: RedisLink['send']): BucketStore<undefined> {
  const inTime = sharedTimeout(WAIT_MS)
  const decide = batch((calls: (readonly Bucket[])[]) => decided(send, calls))
  return {
    spend: (buckets) => inTime(decide(buckets)),
    peek: (buckets) => inTime(callsLeft(send, buckets)),
  }
}

/** Reads the instants that the script keeps, by the same clock. A text that the script did not write is no instant. */
async function callsLeft(send: RedisLink['send'], buckets: readonly Bucket[]): Promise<number[]> {
  const keys = buckets.map(({ key }) => KEY_PREFIX + key)
  const [time, kept] = await Promise.all([send('TIME'), send('MGET', ...keys)])
  const [seconds, micros] = (time as string[]).map(Number)
  const fullAt = (kept as (string | null)[]).map((text) => (/^\d+$/.test(text ?? '') ? Number(text) : undefined))
  return leftAt(Number(seconds) * 1_000_000 + Number(micros), buckets, fullAt)
}

async function decided(send: RedisLink['send'], calls: readonly (readonly Bucket[])[]): Promise<Verdict[]> {
  const keys = calls.flatMap((buckets) => buckets.map(({ key }) => KEY_PREFIX + key))
  const rest = [String(keys.length), ...keys, ...calls.map(sizesText)]
  try {
    return verdictsOf(calls, await send('EVALSHA', SHA1, ...rest))
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return verdictsOf(calls, await send('EVAL', SCRIPT, ...rest))
  }
}

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
  decided(send, [[{ name: 'key', key: '{probe}', burst: 1000, perMinute: 60_000_000 }]])

const TICKS = 5
/** A tick is late when it comes by more than this part of the interval after its time. */
const LATE_BY = 0.25

/** `tick` is the last one before the promise came. */
type Pending = { tick: number; giveUp: () => void }

/**
 * Gives many promises a timeout by one timer. The timer ticks while promises wait, and gives a promise up at its fifth
 * tick: the answer is then undefined, as that of a promise that fails. A tick that comes late does not count: the
 * process was busy, and its own slowness is not a fault of the store.
 */
function sharedTimeout(ms: number): <Answer>(answer: Promise<Answer>) => Promise<Answer | undefined> {
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
    for (const { tick, giveUp } of all) if (ticks - tick >= TICKS) giveUp()
    if (all.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return <Answer>(answer: Promise<Answer>) =>
    new Promise<Answer | undefined>((resolve) => {
      if (!timer) start()
      const end = (result?: Answer) => {
        waiting.remove(place)
        resolve(result)
      }
      const place = waiting.add({ tick: ticks, giveUp: () => resolve(undefined) })
      answer.then(end, () => end())
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
