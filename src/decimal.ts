/** Exact decimals, kept as text: a float would change "0.1" and long numbers. */

/** "12.50" is "12.5". */
export const trimDecimal = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal

export function multiplyDecimal(decimal: string, by: bigint): string {
  if (by === 1n) return trimDecimal(decimal)
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  const digits = String(BigInt(whole + rest) * by).padStart(rest.length + 1, '0')
  const point = digits.length - rest.length
  return sign + trimDecimal(rest === '' ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`)
}

/** "1234567.5" is "1,234,567.5". */
export function groupThousands(decimal: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(decimal) ?? []
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest
}
