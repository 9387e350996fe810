/** Writes numbers with what they count or measure. */
import { noun } from '../../core/counted.js'
import { isPlainDecimal } from '../../core/decimal.js'
import { withUnit } from '../../core/figures/index.js'

/** Writes "1 frame" and "1,200 frames". */
export const countText = (number: number, one: string, more = `${one}s`): string =>
  `${number.toLocaleString('en')} ${noun(number, one, more)}`

/** A price is that of a call, wherever people read it. */
export const priceText = (price: number): string => `${countText(price, 'credit')} a call`

/** Writes "12,345.6 people" and "1 language"; a text that is no number stays as it is. */
export function valueText(value: string, unit: string | null): string {
  if (isPlainDecimal(value)) return withUnit(value, unit)
  return unit === null ? value : `${value} ${unit}`
}
