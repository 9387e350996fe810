/** The bins of table attribute_spread, as function spread_bin counts numbers in them. */

/** `from` is excluded, except in the first bin of one width. */
export type SpreadBin = { from: number; to: number; numbers: number }

/** The first bin of skewed numbers has zero alone, and each other one reaches twice as far as the bin before. */
export const SKEWED_BINS = 21

export function spreadBins(bins: readonly number[], lowest: number, highest: number): SpreadBin[] {
  if (bins.length !== SKEWED_BINS) {
    const edge = (i: number) => lowest + ((highest - lowest) * i) / bins.length
    return bins.map((numbers, i) => ({ from: edge(i), to: i + 1 === bins.length ? highest : edge(i + 1), numbers }))
  }
  const [zeros = 0, ...others] = bins
  const steps = others.map((numbers, i) => ({
    from: i === 0 ? 0 : highest / 2 ** (others.length - i),
    to: highest / 2 ** (others.length - 1 - i),
    numbers,
  }))
  // Numbers begin at the first step that has any.
  const first = steps.findIndex(({ numbers }) => numbers > 0)
  return [...(zeros > 0 ? [{ from: 0, to: 0, numbers: zeros }] : []), ...(first < 0 ? [] : steps.slice(first))]
}
