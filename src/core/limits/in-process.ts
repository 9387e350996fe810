/** Keeps buckets in the memory of one process: for a single process, and for the embedded database. */
import { type BucketStore, leftAt, spendAt } from './buckets.js'

/** A sweep removes full buckets, so that memory holds those in use. */
const SWEEP_EVERY = 10_000

/** Microseconds. Setting the computer's clock does not move them. */
export const monotonic = () => Math.round(performance.now() * 1000)

export function bucketsInProcess(clock: () => number = monotonic): BucketStore<never> & { size: () => number } {
  const fullAt = new Map<string, number>()
  let calls = 0

  function sweep(now: number): void {
    for (const [key, instant] of fullAt) if (instant <= now) fullAt.delete(key)
  }

  return {
    spend: async (buckets) => {
      const now = clock()
      if ((calls += 1) % SWEEP_EVERY === 0) sweep(now)
      const kept = buckets.map(({ key }) => fullAt.get(key))
      const spent = spendAt(now, buckets, kept)
      buckets.forEach(({ key }, i) => {
        const instant = spent.fullAt[i]
        if (instant !== undefined) fullAt.set(key, instant)
      })
      return spent.verdict
    },
    peek: async (buckets) =>
      leftAt(
        clock(),
        buckets,
        buckets.map(({ key }) => fullAt.get(key)),
      ),
    size: () => fullAt.size,
  }
}
