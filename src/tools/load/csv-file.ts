/** Reads every CSV file, one row at a time, each cell exactly as the file has it. */
import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { FileFault } from './faults.js'

/** `line` is the line on which the row begins, from 1. */
type CsvRow = { line: number; cells: string[] }
export type CsvFile = { head: CsvRow; rows: AsyncGenerator<CsvRow> }

const LONGEST_LINE = 16 << 20
const LINE_FEED = 0x0a
const DELIMITERS = [',', ';', '\t', '|']

export async function openCsv(source: AsyncIterable<Buffer>): Promise<CsvFile> {
  const pieces = plainText(source)
  const { value: first = '' } = (await pieces.next()) as { value?: string }
  const rows = rowsOfFile(joinedFields(first, pieces), delimiterOf(first))
  const { value: head } = (await rows.next()) as { value?: CsvRow }
  if (!head) throw new FileFault('line 1: the names of the columns are needed; the file is empty.', 1)
  return head.cells.length > 1 && head.cells.at(-1) === '' ? await withoutLastComma(head, rows) : { head, rows }
}

/** ogr2ogr ends the names of a layer of one attribute with a comma that its rows do not have. */
async function withoutLastComma(head: CsvRow, rows: CsvFile['rows']): Promise<CsvFile> {
  const { value: first } = (await rows.next()) as { value?: CsvRow }
  if (!first) return { head, rows }
  const all = joinedFields(first, rows)
  if (first.cells.length !== head.cells.length - 1) return { head, rows: all }
  return { head: { ...head, cells: head.cells.slice(0, -1) }, rows: all }
}

/** The first line shows how the file is written. */
function delimiterOf(text: string): string {
  const withoutQuoted = text.replace(/"(?:[^"]|"")*"/g, '')
  const [line = ''] = withoutQuoted.trimStart().split('\n', 1)
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

async function* joinedFields<Part>(first: Part, others: AsyncIterable<Part>): AsyncGenerator<Part> {
  yield first
  yield* others
}

type CsvRecord = { record: string[]; info: { lines: number } }

async function* rowsOfFile(pieces: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  // The parser is ahead of the rows that its reader has.
  let lastParsed = 0
  const options = {
    delimiter,
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    info: true,
    relax_column_count: true,
    // A value such as 5" is kept.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_LINE,
    on_record: <Row>(row: Row, { lines }: { lines: number }) => {
      lastParsed = lines
      return row
    },
  }
  // A fault that plainText throws reaches the loop below through the parser.
  const parser = pipeline(pieces, parse(options), () => {})
  let ended = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      ended = info.lines
      const breaks = record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
      yield { line: ended - breaks, cells: record }
    }
  } catch (error) {
    throw csvFault(error, ended, lastParsed)
  }
}

function csvFault(error: unknown, line: number, lastParsed: number): unknown {
  if (!(error instanceof CsvError)) return error
  const { lines } = error as { lines?: unknown }
  const at = typeof lines === 'number' ? lines : line + 1
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    const begins = lastParsed + 1
    return new FileFault(`line ${begins}: a quoted value has no end. It begins in this row.`, begins)
  }
  return new FileFault(`line ${at}: this is not CSV: ${error.message}`, at)
}

/** The file in pieces of whole lines. Refuses bytes that are not UTF-8, and NUL, which PostgreSQL cannot hold. */
async function* plainText(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
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

/** Returns the number of the line after these. */
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
