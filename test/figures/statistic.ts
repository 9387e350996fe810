/** Statistics of a list of numbers, from their definition. */
import type { Measure } from '../../src/core/figures/algebra.js'

export const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

export function statistic(
  how: Measure['how'],
  pairs: { number: number; share: number }[],
  at: number,
): number | undefined {
  const numbers = pairs.map(({ number }) => number).toSorted((one, other) => one - other)
  if (numbers.length === 0) return undefined
  if (how === 'sum') return sum(numbers)
  if (how === 'mean') return sum(numbers) / numbers.length
  if (how === 'min') return numbers[0]
  if (how === 'max') return numbers.at(-1)
  if (how === 'weighted_mean') {
    const counted = pairs.filter(({ share }) => share > 0)
    return counted.length === 0
      ? undefined
      : sum(counted.map(({ number, share }) => number * share)) / sum(counted.map(({ share }) => share))
  }
  if (how !== 'median' && how !== 'quantile') throw new Error(`This loop has no statistic ${how}.`)
  const place = at * (numbers.length - 1)
  const [low = 0, high = low] = [numbers[Math.floor(place)], numbers[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}
