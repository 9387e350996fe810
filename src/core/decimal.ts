/**
 * Decimal numbers as text: which spellings are accepted where, and exact arithmetic. A float would change long numbers.
 */

const queryNumber = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/
const fileNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
/** sql/functions/plain_number.sql has the same rule. */
const figureNumber = /^[+-]?(0|[1-9]\d{0,29})(\.\d{1,30})?([eE][+-]?\d{1,2})?$/
const plainDecimal = /^-?\d+(\.\d+)?$/

export const isQueryNumber = (text: string): boolean => queryNumber.test(text)

/** Files may also leave out the digits on one side of the point. */
export const isFileNumber = (text: string): boolean => fileNumber.test(text)

/** Whether figures count a value of a file: 007 and 1,000 count in none. */
export const isFigureNumber = (text: string): boolean => figureNumber.test(text)

/** A plain decimal has neither a plus sign nor an exponent. */
export const isPlainDecimal = (text: string): boolean => plainDecimal.test(text)

/** "12.50" is "12.5". */
export const trimDecimal = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal

/** `by` has no sign. */
export function multiplyDecimal(decimal: string, by: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  const [byWhole = '', byRest = ''] = by.split('.')
  const places = rest.length + byRest.length
  const digits = String(BigInt(whole + rest) * BigInt(byWhole + byRest)).padStart(places + 1, '0')
  const point = digits.length - places
  return sign + trimDecimal(places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`)
}

/** "1234567.5" is "1,234,567.5". */
export function groupThousands(decimal: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(decimal) ?? []
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest
}

/** Below zero where `a` is the lower. A plain decimal may be of any length. */
export function compareDecimals(a: string, b: string): number {
  const places = Math.max(...[a, b].map((each) => each.split('.')[1]?.length ?? 0))
  const scaled = (decimal: string) => {
    const [whole = '', rest = ''] = decimal.split('.')
    return BigInt(whole + rest.padEnd(places, '0'))
  }
  const difference = scaled(a) - scaled(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
