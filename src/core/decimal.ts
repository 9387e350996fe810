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

/**
 * Rounds the ends of an interval to three digits, the lower one down and the upper one up: "18,903.4" and "21,611" are "18900" and
 * "21700".
 */
export const roundOutwards = ({ lower, upper }: Record<'lower' | 'upper', string>) => ({
  lower: roundTo3(lower, Math.floor),
  upper: roundTo3(upper, Math.ceil),
})

function roundTo3(decimal: string, round: (number: number) => number): string {
  const number = Number(decimal)
  if (number === 0) return '0'
  const places = 2 - Math.floor(Math.log10(Math.abs(number)))
  if (places <= 0) return String(BigInt(round(number / 10 ** -places)) * 10n ** BigInt(-places))
  // A double may lie a little beside the product: 0.29 * 100 is 28.999999999999996.
  const scaled = round(Number((number * 10 ** places).toPrecision(15)))
  return trimDecimal((scaled / 10 ** places).toFixed(places))
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
