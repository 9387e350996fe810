/** Writes numbers with what they count or measure. */
import { noun } from '../../core/counted.js'
import { groupThousands, isPlainDecimal, roundOutwards } from '../../core/decimal.js'
import { unitOfOne } from '../../core/insight/figures/figure-text.js'

/** Writes "1 frame" and "1,200 frames". */
export const countText = (number: number, one: string, more = `${one}s`): string =>
  `${number.toLocaleString('en')} ${noun(number, one, more)}`

/** A price is that of a call, wherever people read it. */
export const priceText = (price: number): string => `${countText(price, 'credit')} a call`

/** Writes "12,345.6 people" and "1 language"; a text that is no number stays as it is. */
export function valueText(value: string, unit: string | null): string {
  const text = isPlainDecimal(value) ? groupThousands(value) : value
  return unit === null ? text : `${text} ${value === '1' ? unitOfOne(unit) : unit}`
}

/** Writes "between 18,900 and 21,700"; of draws it says how sure it is. */
export function intervalText(interval: { lower: string; upper: string }, isOfDraws: boolean): string {
  const { lower, upper } = isOfDraws ? roundOutwards(interval) : interval
  return `between ${groupThousands(lower)} and ${groupThousands(upper)}${isOfDraws ? ' (95\u00a0%)' : ''}`
}
