/** Writes the cells of every CSV file (RFC 4180). */
import { isFileNumber } from './decimal.js'

export type CsvCell = string | number | Date | null
/**
 * Spreadsheets run a cell that begins with one of these as a formula, and a key, a ward or a class may have any name. The
 * apostrophe in front makes it a text. A number such as -1.5 stays. A text that has the apostrophe already gets another,
 * so that a reader of the file may take one away.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

const needsGuard = (text: string) => FORMULA.test(text) && !isFileNumber(text)

/** The text of a cell of a file that has guards. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell

/** `guards`: no cell may be a formula. */
export function csvCell(value: CsvCell, { guards = true } = {}): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  const text = guards && needsGuard(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
