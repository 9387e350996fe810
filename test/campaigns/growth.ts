/** Finds what grows during a soak: it compares the medians of the second and of the last sixth of the samples. */

/** A measure may end this much above its start: by a share of it, or by an amount, whichever is more. */
export type Bound = { share: number; amount: number }
/** The values of each measure, one for each sample. */
export type Series = ReadonlyMap<string, readonly number[]>
export type Change = { name: string; before: number; after: number; grows: boolean }

/** The first sixth is left out: a process loads its code, and its pools and caches fill. */
export function changesOf(series: Series, boundOf: (name: string) => Bound): Change[] {
  return [...series].map(([name, values]) => {
    const sixth = Math.max(1, Math.floor(values.length / 6))
    const before = median(values.slice(sixth, 2 * sixth))
    const after = median(values.slice(-sixth))
    const { share, amount } = boundOf(name)
    // A measure without a value has not been taken: that must not pass.
    return { name, before, after, grows: !(after <= before + Math.max(before * share, amount)) }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}
