/**
 * A bucket for each client address, spent by keys that turn out not to be good. Such a call has no key and no organisation to
 * spend from, and costs a query all the same. Kept in the memory of this process, whatever happens to Redis, and bounded.
 *
 * A key that was good a moment ago is looked up without asking the bucket, so that whoever guesses keys does not lock out
 * those who share the address.
 */
import { spendAt, type BucketSize, type Charge, type Verdict } from './buckets.js'
import { monotonic } from './in-process.js'

/** About 2 MB each when full; past that, the oldest entry goes. */
const ADDRESSES_MAX = 20_000
const GOOD_KEYS_MAX = 10_000

export type AddressBuckets = {
  /**
   * Looks a key up, or says why not. A call is spent before the lookup and given back for a good key, so that lookups under
   * way at the same time count too. `keyHash` tells keys apart.
   */
  metered: <Found>(
    address: string,
    keyHash: string,
    lookUp: () => Promise<Found | undefined>,
  ) => Promise<{ refused: Verdict } | { found: Found | undefined }>
  /** How many addresses and keys are kept. */
  sizes: () => { addresses: number; goodKeys: number }
}

export function addressBuckets(size: BucketSize, clock: () => number = monotonic): AddressBuckets {
  const fullAt = new Map<string, number>()
  const goodKeys = new Set<string>()
  const microsPerCall = 60_000_000 / size.perMinute

  function spend(address: string): Verdict {
    const charge: Charge = { name: 'address', key: address, ...size }
    const spent = spendAt(clock(), [charge], [fullAt.get(address)])
    const [instant] = spent.fullAt
    if (instant !== undefined) fullAt.set(address, instant)
    dropOldest(fullAt, ADDRESSES_MAX)
    return spent.verdict
  }

  function giveBack(address: string): void {
    const instant = (fullAt.get(address) ?? 0) - microsPerCall
    if (instant > clock()) fullAt.set(address, instant)
    else fullAt.delete(address)
  }

  return {
    metered: async (address, keyHash, lookUp) => {
      const wasGood = goodKeys.has(keyHash)
      const verdict = wasGood ? undefined : spend(address)
      if (verdict && !verdict.passes) return { refused: verdict }
      // A database that is away is no fault of the caller.
      const found = await lookUp().catch((error: unknown) => {
        if (!wasGood) giveBack(address)
        throw error
      })
      if (found === undefined) {
        if (goodKeys.delete(keyHash)) spend(address)
      } else if (!wasGood) {
        giveBack(address)
        goodKeys.add(keyHash)
        dropOldest(goodKeys, GOOD_KEYS_MAX)
      }
      return { found }
    },
    sizes: () => ({ addresses: fullAt.size, goodKeys: goodKeys.size }),
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  if (kept.size <= max) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
