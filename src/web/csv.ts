/** Sends tables as CSV (RFC 4180). */
import type { Response } from 'express'
import { once } from 'node:events'

export type CsvCell = string | number | Date | null

/**
 * Spreadsheets run a cell that begins with one of these as a formula, and a key may have any name. The apostrophe in
 * front makes it a text.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

export function csvCell(value: CsvCell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`

type CsvFile = {
  name: string
  headings: readonly string[]
  /** Each page is read when the client has taken the one before. */
  pages: AsyncIterable<readonly (readonly CsvCell[])[]>
}

/** The first page is read before anything is sent, so that a fault of the database still has a page of its own. */
export async function sendCsv(res: Response, { name, headings, pages }: CsvFile): Promise<void> {
  const reading = pages[Symbol.asyncIterator]()
  let page = await reading.next()
  res.set({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${name}"` })
  res.write(csvLine(headings))
  while (page.done !== true && !res.destroyed) {
    const text = page.value.map(csvLine).join('')
    if (text !== '' && !res.write(text)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    page = await reading.next()
  }
  res.end()
}
