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

type AddressOf = () => string | undefined
type LookUp<Found> = () => Promise<Found | undefined>

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

  async function lookUpGood<Found>(addressOf: AddressOf, keyHash: string, lookUp: LookUp<Found>) {
    const found = await lookUp()
    const address = found === undefined && goodKeys.delete(keyHash) ? addressOf() : undefined
    if (address !== undefined) spend(address)
    return { found }
  }

  async function lookUpUnproven<Found>(address: string | undefined, keyHash: string, lookUp: LookUp<Found>) {
    if (address === undefined) return { found: await lookUp() }
    const verdict = spend(address)
    if (!verdict.passes) return { refused: verdict }
    const found = await lookUp().catch((error: unknown) => {
      // The caller does not pay for a database that is away.
      refund(address)
      throw error
    })
    if (found === undefined) return { found }
    refund(address)
    goodKeys.add(keyHash)
    dropOldest(goodKeys, GOOD_KEYS_MAX)
    return { found }
  }

  return {
    /**
     * Looks a key up, or refuses. The call is spent before the lookup, so that concurrent lookups count too, and refunded
     * for a good key. `keyHash` identifies the key. A client without an address is not metered.
     */
    meterLookUp: <Found>(
      addressOf: AddressOf,
      keyHash: string,
      lookUp: LookUp<Found>,
    ): Promise<{ refused: Verdict } | { found: Found | undefined }> =>
      goodKeys.has(keyHash) ? lookUpGood(addressOf, keyHash, lookUp) : lookUpUnproven(addressOf(), keyHash, lookUp),
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
