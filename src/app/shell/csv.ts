/** Sends tables as CSV, and reads long ones from the newest row on. */
import type { Request, Response } from 'express'
import { once } from 'node:events'
import { csvCell, type CsvCell } from '../../core/csv.js'
import { badAddress } from './refusals.js'

const csvCells = (cells: readonly CsvCell[]): string => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`

/** The heading of each column, and its cell of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>

/**
 * The first page is read before anything is sent, so that a fault of the database still has a page of its own. Each page
 * is read when the client has taken the one before.
 */
export async function sendRows<Row>(
  res: Response,
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): Promise<void> {
  const cells = Object.values(columns)
  const reading = pages[Symbol.asyncIterator]()
  let page = await reading.next()
  res.set({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${name}"` })
  res.write(csvCells(Object.keys(columns)))
  while (page.done !== true && !res.destroyed) {
    const text = page.value.map((row) => csvCells(cells.map((cell) => cell(row)))).join('')
    if (text !== '' && !res.write(text)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    page = await reading.next()
  }
  res.end()
}

/** Above every number of an entry. */
const NEWEST = '9223372036854775807'
/** Entries of one read of a file. */
const READ_AT_ONCE = 1000

/** A page shows the entries below the number that the address names, as ?before=4711. */
export function beforeOf({ context: { asked } }: Request, entry: string): string {
  const [before = NEWEST] = asked.get('before') ?? []
  if (!/^\d{1,18}$/.test(before) && before !== NEWEST) throw badAddress(`before: the number of ${entry} is accepted.`)
  return before
}

export async function* fromNewest<Row>(
  read: (before: string, most: number) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  for (let before: string | undefined = NEWEST; before !== undefined;) {
    const rows: Row[] = await read(before, READ_AT_ONCE)
    yield rows
    const last = rows.length < READ_AT_ONCE ? undefined : rows.at(-1)
    before = last && idOf(last)
  }
}
