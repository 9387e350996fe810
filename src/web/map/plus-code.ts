/**
 * Reads full Plus Codes, such as 6FG22222+22, by the specification: https://github.com/google/open-location-code. Only
 * decoding is needed, which is shorter than the use of a package.
 */

export type Point = { lat: number; lon: number }

const DIGITS = '23456789CFGHJMPQRVWX'
/** Five pairs of digits of base 20 come first; each divides both sides by 20. Then come cells of 5 rows and 4 columns. */
const PAIRS = 5
const ROWS = 5
const COLUMNS = 4
const LONGEST = 15
const FULL = new RegExp(`^([${DIGITS}]{2,8})(0{0,6})\\+([${DIGITS}]*)$`)

export const looksLikePlusCode = (text: string): boolean => /^[0-9a-z]{2,8}\+[0-9a-z]*$/i.test(text)

/** Returns the middle of the area that a code names; undefined where it is no full code. */
export function plusCodePoint(text: string): Point | undefined {
  const [, head = '', zeros = '', tail = ''] = FULL.exec(text.toUpperCase()) ?? []
  const isPadded = zeros !== ''
  if (head.length + zeros.length !== 8 || head.length % 2 === 1 || (isPadded && tail !== '') || tail.length === 1)
    return undefined
  const digits = Array.from((head + tail).slice(0, LONGEST), (digit) => DIGITS.indexOf(digit))
  let [lat, lon, height, width] = [-90, -180, 400, 400]
  for (let i = 0; i < Math.min(digits.length, 2 * PAIRS); i += 2) {
    height /= 20
    width /= 20
    lat += (digits[i] ?? 0) * height
    lon += (digits[i + 1] ?? 0) * width
  }
  for (const digit of digits.slice(2 * PAIRS)) {
    height /= ROWS
    width /= COLUMNS
    lat += Math.floor(digit / COLUMNS) * height
    lon += (digit % COLUMNS) * width
  }
  const point = { lat: lat + height / 2, lon: lon + width / 2 }
  return point.lat <= 90 && point.lon <= 180 ? point : undefined
}
