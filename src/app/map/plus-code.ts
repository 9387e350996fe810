/**
 * Reads Plus Codes, such as 6FG22222+22 and 2222+22, by the specification: https://github.com/google/open-location-code.
 * The parts that the search needs are shorter than the use of a package.
 */

export type CodePoint = { lat: number; lon: number }

const CODE_DIGITS = '23456789CFGHJMPQRVWX'
/** Five pairs of digits of base 20 come first; each divides both sides by 20. Then come cells of 5 rows and 4 columns. */
const PAIRS = 5
const CELL_ROWS = 5
const CELL_COLUMNS = 4
const CODE_LONGEST = 15
const SHORT = new RegExp(`^([${CODE_DIGITS}]{2}){1,3}\\+[${CODE_DIGITS}]{2,}$`)
const FULL = new RegExp(`^([${CODE_DIGITS}]{2,8})(0{0,6})\\+([${CODE_DIGITS}]*)$`)

export const looksLikePlusCode = (text: string): boolean => /^[0-9a-z]{2,8}\+[0-9a-z]*$/i.test(text)

/** Returns the middle of the area that a code names; undefined where it is no full code. */
export function plusCodePoint(text: string): CodePoint | undefined {
  const [, head = '', zeros = '', tail = ''] = FULL.exec(text.toUpperCase()) ?? []
  const isPadded = zeros !== ''
  if (head.length + zeros.length !== 8 || head.length % 2 === 1 || (isPadded && tail !== '') || tail.length === 1)
    return undefined
  const digits = Array.from((head + tail).slice(0, CODE_LONGEST), (digit) => CODE_DIGITS.indexOf(digit))
  let [lat, lon, height, width] = [-90, -180, 400, 400]
  for (let i = 0; i < Math.min(digits.length, 2 * PAIRS); i += 2) {
    height /= 20
    width /= 20
    lat += (digits[i] ?? 0) * height
    lon += (digits[i + 1] ?? 0) * width
  }
  for (const digit of digits.slice(2 * PAIRS)) {
    height /= CELL_ROWS
    width /= CELL_COLUMNS
    lat += Math.floor(digit / CELL_COLUMNS) * height
    lon += (digit % CELL_COLUMNS) * width
  }
  const point = { lat: lat + height / 2, lon: lon + width / 2 }
  return point.lat <= 90 && point.lon <= 180 ? point : undefined
}

/** "9QCJ+2V" lacks the first four digits: the code that is nearest to a place near by is meant. */
export const isShortCode = (text: string): boolean => SHORT.test(text.toUpperCase())

/** Returns the middle of the area that a short code names near a place; undefined where it is no short code. */
export function nearestPoint(text: string, near: CodePoint): CodePoint | undefined {
  if (!isShortCode(text)) return undefined
  const lacking = 8 - text.indexOf('+')
  const found = plusCodePoint(firstDigits(near).slice(0, lacking) + text)
  if (!found) return undefined
  // The digits that lack name an area of this size. The next area may be nearer to the place.
  const size = 20 ** (2 - lacking / 2)
  const nearer = (degrees: number, to: number) =>
    [degrees - size, degrees, degrees + size].reduce((best, each) =>
      Math.abs(each - to) < Math.abs(best - to) ? each : best,
    )
  const lat = nearer(found.lat, near.lat)
  return { lat: Math.abs(lat) <= 90 ? lat : found.lat, lon: wrappedEast(nearer(found.lon, near.lon)) }
}

const wrappedEast = (lon: number): number => (lon >= 180 ? lon - 360 : lon < -180 ? lon + 360 : lon)

/** Writes the first eight digits of the code of a place. */
function firstDigits({ lat, lon }: CodePoint): string {
  let [north, east] = [Math.min(lat + 90, 179.999999), wrappedEast(lon) + 180]
  let digits = ''
  for (let size = 20; size >= 0.0025; size /= 20) {
    digits += digit(north / size) + digit(east / size)
    north %= size
    east %= size
  }
  return digits
}

const digit = (place: number): string => CODE_DIGITS.charAt(Math.floor(place))
