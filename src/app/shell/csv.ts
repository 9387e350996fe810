/** Sends tables as CSV. */
import type { Response } from 'express'
import { once } from 'node:events'
import { csvCell, type CsvCell } from '../../core/csv.js'

const csvCells = (cells: readonly CsvCell[]): string => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`

type CsvDownload = {
  name: string
  headings: readonly string[]
  /** Each page is read when the client has taken the one before. */
  pages: AsyncIterable<readonly (readonly CsvCell[])[]>
}

/** The first page is read before anything is sent, so that a fault of the database still has a page of its own. */
export async function sendCsv(res: Response, { name, headings, pages }: CsvDownload): Promise<void> {
  const reading = pages[Symbol.asyncIterator]()
  let page = await reading.next()
  res.set({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${name}"` })
  res.write(csvCells(headings))
  while (page.done !== true && !res.destroyed) {
    const text = page.value.map(csvCells).join('')
    if (text !== '' && !res.write(text)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    page = await reading.next()
  }
  res.end()
}
