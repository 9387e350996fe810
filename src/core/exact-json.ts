/**
 * JSON whose numbers keep their digits. JSON.parse makes 599686042433355800 of 599686042433355775, and 1.1 of 1.10.
 * Here a number that it would change is a text that begins with NUL, and no other text does.
 */

const NUMBER_MARK = '\0'
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[-+.\deE]*/g
const MARKED = /"\\u0000([^"]*)"/g

/** `changed` gives the JSON in place of a number that JSON.parse would change. `text` is JSON. */
function parsedWith(text: string, changed: (number: string) => string): unknown {
  const written = text.replace(TOKEN, (token) => {
    if (token.startsWith('"\\u0000')) return token.replace('0000', '0001')
    return token.startsWith('"') || String(Number(token)) === token ? token : changed(token)
  })
  return JSON.parse(written)
}

/** Throws a RangeError where a number is too large or too small for those who read JSON with doubles. */
export const parseExactly = (text: string): unknown =>
  parsedWith(text, (number) => {
    if (!isInRange(number)) {
      const came = number.length > 40 ? `${number.slice(0, 37)}...` : number
      throw new RangeError(
        `a number of more than 1.8e308, or nearer to 0 than 5e-324, has to be a text, and ${came} came`,
      )
    }
    return `"\\u0000${number}"`
  })

/** The text of what parseExactly read, without white space. */
export const exactText = (value: unknown): string => JSON.stringify(value).replace(MARKED, '$1')

/** The digits of a number that parseExactly read; undefined for another value. */
export function exactNumber(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.startsWith(NUMBER_MARK) ? value.slice(1) : undefined
}

/** For readers whose numbers are doubles: a number that would be rounded is the text of its digits. */
export const parseRounded = (text: string): unknown =>
  parsedWith(text, (number) => (significant(number) === significant(String(Number(number))) ? number : `"${number}"`))

function isInRange(number: string): boolean {
  const value = Number(number)
  return Number.isFinite(value) && (value !== 0 || significant(number) === '')
}

const significant = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '')
