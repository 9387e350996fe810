/** The rows of a CSV file, one at a time, each cell exactly as the file has it. */
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { FileFault } from './faults.js'

/** `line` is the line on which the row ends. */
export type CsvRow = { cells: string[]; line: number }

export const LONGEST_LINE = 16 << 20
const LINE_FEED = 0x0a

export async function* csvRows(file: string): AsyncGenerator<CsvRow> {
  const ends = rowEnds()
  const options = {
    ...ends.options,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_LINE,
  }
  // A fault that plainText throws reaches the loop below through the parser.
  const parser = pipeline(plainText(bytesOf(file)), parse(options), () => {})
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      line = info.lines
      yield { cells: record, line }
    }
  } catch (error) {
    throw csvFault(error, line, ends)
  }
}

/** Follows the parser, which is ahead of the rows that its reader has. `last`: the line on which the last row ends. */
type RowEnds = { last: number; options: { on_record: <Row>(row: Row, info: { lines: number }) => Row } }

export function rowEnds(): RowEnds {
  const ends: RowEnds = {
    last: 0,
    options: {
      on_record: (row, { lines }) => {
        ends.last = lines
        return row
      },
    },
  }
  return ends
}

export function csvFault(error: unknown, line: number, { last }: RowEnds): unknown {
  if (!(error instanceof CsvError)) return error
  const { lines } = error as { lines?: unknown }
  const at = typeof lines === 'number' ? lines : line + 1
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new FileFault(`line ${last + 1}: a quoted value has no end. It begins in this row.`, last + 1)
  return new FileFault(`line ${at}: this is not CSV: ${error.message}`, at)
}

export const bytesOf = (file: string): AsyncIterable<Buffer> => createReadStream(file, { highWaterMark: 1 << 20 })

/** The file in pieces of whole lines. Refuses bytes that are not UTF-8, and NUL, which PostgreSQL cannot hold. */
export async function* plainText(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    rest = bytes.subarray(end)
    if (rest.length > LONGEST_LINE) throw new FileFault(`line ${line}: it is longer than 16 MiB.`, line)
    if (end === 0) continue
    const whole = bytes.subarray(0, end)
    line = checkLines(whole, line)
    yield whole.toString()
  }
  checkLines(rest, line)
  if (rest.length > 0) yield rest.toString()
}

/** Answers with the number of the line after these. */
function checkLines(lines: Buffer, from: number): number {
  const isPlain = isUtf8(lines) && !lines.includes(0)
  let line = from
  for (let at = 0, end = lines.indexOf(LINE_FEED); at < lines.length; end = lines.indexOf(LINE_FEED, at)) {
    const stop = end === -1 ? lines.length : end
    if (!isPlain) refuseOdd(lines.subarray(at, stop), line)
    at = stop + 1
    if (end !== -1) line += 1
  }
  return line
}

function refuseOdd(bytes: Buffer, line: number): void {
  if (bytes.includes(0)) throw new FileFault(`line ${line}: a NUL character is not accepted.`, line)
  if (!isUtf8(bytes)) throw new FileFault(`line ${line}: UTF-8 is accepted, this is not (is it Latin-1?).`, line)
}
