/** Writes the cells of every CSV file (RFC 4180). */
import { isFileNumber } from './decimal.js'

export type CsvCell = string | number | Date | null
/**
 * Spreadsheets run a cell that begins with one of these as a formula, and a key, a ward or a class may have any name. The
 * apostrophe in front makes it a text. A number such as -1.5 stays.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** `guards`: no cell may be a formula. */
export function csvCell(value: CsvCell, { guards = true } = {}): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  const text = guards && FORMULA.test(value) && !isFileNumber(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
