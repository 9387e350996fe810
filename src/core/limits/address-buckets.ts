/**
 * Keeps a bucket for each client address. Calls with keys that are not accepted spend from it: they have no key and no
 * organisation to spend from, and cost a query all the same. This process keeps the buckets in its memory, with or
 * without Redis.
 *
 * A key that was good at its last call is looked up without the bucket. A client that guesses keys therefore does not
 * lock out others at the same address.
 */
import { spendAt, type BucketSize, type Bucket, type Verdict } from './buckets.js'
import { monotonic } from './in-process.js'

/** A full map takes about 2 MB. A new entry then replaces the oldest. */
const ADDRESSES_MAX = 20_000
const GOOD_KEYS_MAX = 10_000

export type AddressBuckets = ReturnType<typeof addressBuckets>

export function addressBuckets(size: BucketSize, clock: () => number = monotonic) {
  const fullAt = new Map<string, number>()
  const goodKeys = new Set<string>()
  const microsPerCall = 60_000_000 / size.perMinute

  function spend(address: string): Verdict {
    const bucket: Bucket = { name: 'address', key: address, ...size }
    const spent = spendAt(clock(), [bucket], [fullAt.get(address)])
    const [instant] = spent.fullAt
    if (instant !== undefined) fullAt.set(address, instant)
    dropOldest(fullAt, ADDRESSES_MAX)
    return spent.verdict
  }

  function refund(address: string): void {
    const instant = (fullAt.get(address) ?? 0) - microsPerCall
    if (instant > clock()) fullAt.set(address, instant)
    else fullAt.delete(address)
  }

  return {
    /**
     * Looks a key up, or refuses. The call is spent before the lookup, so that concurrent lookups count too, and refunded
     * for a good key. `keyHash` identifies the key. A client without an address is not metered.
     */
    meterLookUp: async <Found>(
      addressOf: () => string | undefined,
      keyHash: string,
      lookUp: () => Promise<Found | undefined>,
    ): Promise<{ refused: Verdict } | { found: Found | undefined }> => {
      const address = goodKeys.has(keyHash) ? undefined : addressOf()
      const verdict = address === undefined ? undefined : spend(address)
      if (verdict?.passes === false) return { refused: verdict }
      const found = await lookUp().catch((error: unknown) => {
        // The caller does not pay for a database that is away.
        if (address !== undefined) refund(address)
        throw error
      })
      if (found !== undefined) {
        if (address !== undefined) refund(address)
        if (!goodKeys.has(keyHash)) dropOldest(goodKeys.add(keyHash), GOOD_KEYS_MAX)
      } else if (address === undefined && goodKeys.delete(keyHash)) {
        const late = addressOf()
        if (late !== undefined) spend(late)
      }
      return { found }
    },
    isGoodKey: (keyHash: string) => goodKeys.has(keyHash),
    sizes: () => ({ addresses: fullAt.size, goodKeys: goodKeys.size }),
  }
}

export function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  if (kept.size <= max) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
