/** Reads every CSV file, one row at a time, each cell exactly as the file has it. */
import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { FileFault } from './faults.js'

/** `line` is the line on which the row begins, from 1. `text` is empty unless the reader keeps texts. */
export type CsvRow = { line: number; text: string; cells: string[] }
export type CsvForm = { delimiter: string; lineEnd: string; byteOrderMark: string }
export type CsvFile = { form: CsvForm; head: CsvRow; rows: AsyncGenerator<CsvRow> }

const LONGEST_LINE = 16 << 20
const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'
const DELIMITERS = [',', ';', '\t', '|']

/** Texts of rows are kept for a reader that writes them again: they cost a third of the time. */
export async function openCsv(source: AsyncIterable<Buffer>, { keepsText = false } = {}): Promise<CsvFile> {
  const pieces = plainText(source)
  const { value: first = '' } = (await pieces.next()) as { value?: string }
  const form = csvForm(first)
  const rows = rowsOfFile(joinedFields(first.slice(form.byteOrderMark.length), pieces), form, keepsText)
  const { value: head } = (await rows.next()) as { value?: CsvRow }
  if (!head) throw new FileFault('line 1: the names of the columns are needed; the file is empty.', 1)
  return head.cells.length > 1 && head.cells.at(-1) === ''
    ? await withoutLastComma(form, head, rows)
    : { form, head, rows }
}

/** ogr2ogr ends the names of a layer of one attribute with a comma that its rows do not have. */
async function withoutLastComma(form: CsvForm, head: CsvRow, rows: CsvFile['rows']): Promise<CsvFile> {
  const { value: first } = (await rows.next()) as { value?: CsvRow }
  if (!first) return { form, head, rows }
  const all = joinedFields(first, rows)
  if (first.cells.length !== head.cells.length - 1) return { form, head, rows: all }
  return { form, head: { ...head, cells: head.cells.slice(0, -1), text: head.text.slice(0, -1) }, rows: all }
}

/** The first line shows how the file is written. */
function csvForm(text: string): CsvForm {
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const withoutQuoted = text.slice(byteOrderMark.length).replace(/"(?:[^"]|"")*"/g, '')
  const [line = ''] = withoutQuoted.trimStart().split('\n', 1)
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
  return { delimiter, lineEnd: line.endsWith('\r') ? '\r\n' : '\n', byteOrderMark }
}

async function* joinedFields<Part>(first: Part, others: AsyncIterable<Part>): AsyncGenerator<Part> {
  yield first
  yield* others
}

type CsvRecord = { record: string[]; raw?: string; info: { lines: number } }

async function* rowsOfFile(pieces: AsyncIterable<string>, form: CsvForm, keepsText: boolean): AsyncGenerator<CsvRow> {
  // The parser is ahead of the rows that its reader has.
  let lastParsed = 0
  const options = {
    delimiter: form.delimiter,
    record_delimiter: ['\r\n', '\n'],
    info: true,
    raw: keepsText,
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
    for await (const { record, raw = '', info } of parser as AsyncIterable<CsvRecord>) {
      ended = info.lines
      // csv-parse adds empty lines before the row and a part of the line end.
      const text = raw.replace(/^[\r\n]+|[\r\n]+$/g, '')
      const breaks = record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
      yield { line: ended - breaks, text, cells: record }
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
