/**
 * Spends from token buckets (GCRA). A bucket is one number: the instant at which it is full. A call moves this instant
 * on by the time in which one call refills. A bucket is empty when the instant lies a whole burst ahead. The Lua of
 * in-redis.ts does the same.
 */

type BucketName = 'key' | 'person' | 'organisation' | 'insight' | 'address' | 'map'
/** `burst`: calls at once. `perMinute`: calls a minute that a caller can keep up. */
export type BucketSize = { burst: number; perMinute: number }
export type BucketSizes = Readonly<Record<'key' | 'organisation' | 'insight', BucketSize>> & {
  /**
   * The bucket of a person's tiles. A move of the map asks for some twenty tiles, which would soon spend the bucket of
   * the organisation that its programs live on. Undefined: tiles are not metered.
   */
  readonly map?: BucketSize | undefined
  /** The bucket of a client address, for keys that are not accepted. Undefined: addresses are not metered. */
  readonly address?: BucketSize | undefined
}

/** A bucket that a call spends from. `key` identifies it in the store. */
export type Bucket = BucketSize & { name: BucketName; key: string }

export type Verdict = BucketSize & {
  passes: boolean
  /** The bucket nearest to exhaustion; for a refused call, the bucket that it waits for longest. */
  name: BucketName
  /** The whole calls left in that bucket. */
  remaining: number
  /** The time until it holds one call more; for a refused call, until all buckets let one pass. */
  waitMicros: number
}

/** A store of buckets. It answers undefined while it is away. */
export type BucketStore<Away> = {
  /** Spends one call from each bucket, or none. */
  spend: (buckets: readonly Bucket[]) => Promise<Verdict | Away>
  /** Tells the whole calls left in each bucket, and spends none. */
  peek: (buckets: readonly Bucket[]) => Promise<number[] | Away>
}

/** Returns the buckets of a call: of its key, of its organisation and, for a question, of its questions. */
export function bucketsOf(
  sizes: BucketSizes,
  { orgId, keyId }: { orgId: string; keyId: string },
  insight: boolean,
): Bucket[] {
  const buckets: Bucket[] = [
    { name: 'key', key: `{${orgId}}:key:${keyId}`, ...sizes.key },
    { name: 'organisation', key: `{${orgId}}:organisation`, ...sizes.organisation },
  ]
  if (insight) buckets.push({ name: 'insight', key: `{${orgId}}:insight`, ...sizes.insight })
  return buckets
}

/** A page of the web app spends from the buckets of a call. The person's bucket has the size of a key's. */
export const bucketsOfPage = (
  sizes: BucketSizes,
  person: { orgId: string; keyId: string },
  insight: boolean,
): Bucket[] =>
  bucketsOf(sizes, person, insight).map((bucket) => (bucket.name === 'key' ? { ...bucket, name: 'person' } : bucket))

export const mapBuckets = ({ map }: BucketSizes, { orgId, keyId }: { orgId: string; keyId: string }): Bucket[] =>
  map === undefined ? [] : [{ name: 'map', key: `{${orgId}}:map:${keyId}`, ...map }]

export const microsPerCall = ({ perMinute }: BucketSize) => Math.round(60_000_000 / perMinute)

/** The seconds of Retry-After: a call sent then passes, a call sent a second sooner does not. */
export const waitSeconds = ({ waitMicros }: Verdict) => Math.max(1, Math.ceil(waitMicros / 1_000_000))

export const fillSeconds = ({ burst, perMinute }: BucketSize) => Math.ceil((burst * 60) / perMinute)

/**
 * Spends one call from every bucket, or nothing from any. `fullAt` holds the stored instant of each bucket, undefined
 * for a new one. The result holds the instants to store.
 */
export function spendAt(
  now: number,
  buckets: readonly Bucket[],
  fullAt: readonly (number | undefined)[],
): { verdict: Verdict; fullAt: (number | undefined)[] } {
  const states = buckets.map((bucket, i) => {
    const { each, held, kept, before } = stateAt(now, bucket, fullAt[i])
    return { bucket, each, left: held - each, kept, after: before + each }
  })
  const [first, ...others] = states
  if (!first) throw new Error('A call spends from one bucket at least.')
  const longest = others.reduce((one, other) => (other.left < one.left ? other : one), first)
  if (longest.left < 0) {
    return { verdict: verdictOn(longest.bucket, false, 0, -longest.left), fullAt: states.map(({ kept }) => kept) }
  }
  const tightest = others.reduce((one, other) => (other.left / other.each < one.left / one.each ? other : one), first)
  const remaining = Math.floor(tightest.left / tightest.each)
  const wait = tightest.each * (remaining + 1) - tightest.left
  return { verdict: verdictOn(tightest.bucket, true, remaining, wait), fullAt: states.map(({ after }) => after) }
}

/** `held`: the microseconds of calls that the bucket holds. `kept`: the stored instant. */
function stateAt(now: number, bucket: Bucket, stored: number | undefined) {
  const each = microsPerCall(bucket)
  const capacity = each * bucket.burst
  // An instant further ahead than a burst: the clock was set back. The bucket counts as empty and fills from now on.
  const kept = stored === undefined ? undefined : Math.min(stored, now + capacity)
  const before = Math.max(kept ?? now, now)
  return { each, kept, before, held: now + capacity - before }
}

export const leftAt = (now: number, buckets: readonly Bucket[], fullAt: readonly (number | undefined)[]): number[] =>
  buckets.map((bucket, i) => {
    const { each, held } = stateAt(now, bucket, fullAt[i])
    return Math.floor(held / each)
  })

export const verdictOn = (
  { name, burst, perMinute }: Omit<Bucket, 'key'>,
  passes: boolean,
  remaining: number,
  waitMicros: number,
): Verdict => ({ passes, name, burst, perMinute, remaining, waitMicros })
