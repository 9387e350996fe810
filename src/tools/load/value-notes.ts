/** Finds values of a category that are too long for a class, or that are numbers in another dress. */
import { counted } from '../../core/counted.js'
import { isFileNumber } from '../../core/decimal.js'
import { CLASS_MOST, lengthOf } from './faults.js'

const GROUPED = /^[+-]?[1-9]\d{0,2}(?:([,.'’\s])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/
const DECIMAL_COMMA = /^[+-]?\d*,\d+$/
/** A sign of a currency before the number, or a unit after it. */
const WITH_UNIT = /^([^\d\s.,+-]{0,3})\s?([+-]?\d+(?:[.,]\d+)*)\s?((?:[^\d\s.,+-]\D{0,9})?)$/
const NO_VALUE = /^(?:nan|[+-]?inf(?:inity)?|#?n\/?a|null|none|nil|no data|missing|unknown|[-–—.?*]+)$/i

type Dress = 'grouped' | 'comma' | 'unit' | 'minus' | 'none'
type Dressed = { count: number; example: string; plain: string }

export type ValueNotes = ReturnType<typeof valueNotes>

/** `add` takes values without blanks around them that are no plain numbers. */
export function valueNotes() {
  let long = 0
  let longest = ''
  const dresses = new Map<Dress, Dressed>()
  const units = new Set<string>()
  return {
    add: (value: string): void => {
      if (value.length > CLASS_MOST) {
        if (lengthOf(value) <= CLASS_MOST) return
        long += 1
        if (long === 1) longest = value.slice(0, 40)
        return
      }
      const [dress, plain, unit] = dressOf(value) ?? []
      if (dress === undefined) return
      const known = dresses.get(dress) ?? { count: 0, example: value, plain: plain ?? '' }
      dresses.set(dress, { ...known, count: known.count + 1 })
      if (unit !== undefined && units.size < 2) units.add(unit)
    },
    long: (): string[] =>
      long === 0
        ? []
        : [
            `${counted(long, 'value has', 'values have')} more than ${CLASS_MOST} characters, such as "${longest}...": none of its values is a class.`,
          ],
    /**
     * Says how to write them, where nearly all values are numbers. `texts` of `recorded` values are no plain numbers.
     */
    dressed: (texts: number, recorded: number): string | undefined => {
      // Codes such as 1A and 2B have more than one ending.
      if (units.size > 1) dresses.delete('unit')
      const countOf = (all: Iterable<Dress>) =>
        [...all].reduce((sum, dress) => sum + (dresses.get(dress)?.count ?? 0), 0)
      const like = countOf(dresses.keys())
      if (like === countOf(['none']) || recorded - texts + like < 0.9 * recorded) return undefined
      // Beside 0,5 the comma of 1,234 may be one of decimals, too.
      if (dresses.has('comma')) dresses.delete('grouped')
      const ways = Array.from(dresses.values(), ({ example, plain }) => `${plain || 'nothing'} for "${example}"`)
      return `${texts} of ${recorded} values look like numbers but are no plain ones, so it is a category: write ${ways.join(', ')}`
    },
  }
}

function dressOf(value: string): [dress: Dress, plain: string, unit?: string] | undefined {
  if (NO_VALUE.test(value)) return ['none', '']
  if (GROUPED.test(value)) return ['grouped', plainOf(value)]
  if (DECIMAL_COMMA.test(value)) return ['comma', plainOf(value)]
  const signed = value.replace(/^[−–]/, '-')
  if (signed !== value && isFileNumber(signed)) return ['minus', signed]
  const [, before = '', number = '', after = ''] = WITH_UNIT.exec(value) ?? []
  return before + after === '' ? undefined : ['unit', plainOf(number), `${before} ${after}`]
}

function plainOf(number: string): string {
  const separator = GROUPED.exec(number)?.[1]
  return (separator === undefined ? number : number.replaceAll(separator, '')).replace(',', '.')
}
