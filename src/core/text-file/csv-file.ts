/** Reads every CSV file, each cell exactly as the file has it. */
import { isUtf8 } from 'node:buffer'
import { FileFault } from './file-fault.js'

/** `line` is the line on which the row begins, from 1. */
export type CsvRow = { line: number; cells: string[] }
/** `batches` has the same rows by the thousand, for who reads many: one of both is read. */
export type CsvFile = { head: CsvRow; rows: AsyncGenerator<CsvRow>; batches: AsyncGenerator<CsvRow[]> }

const LONGEST_LINE = 16 << 20
const LINE_FEED = 0x0a
const DELIMITERS = [',', ';', '\t', '|']

export async function openCsv(source: AsyncIterable<Buffer>): Promise<CsvFile> {
  const pieces = plainText(source)
  const { value: first = '' } = (await pieces.next()) as { value?: string }
  const read = batchesOfFile(first.replace(/^\uFEFF/, ''), pieces, delimiterOf(first))
  const begun: CsvRow[] = []
  while (begun.length < 2) {
    const { value, done } = await read.next()
    if (done === true) break
    begun.push(...value)
  }
  const [head, next] = begun
  if (!head) throw new FileFault('line 1: the names of the columns are needed; the file is empty.', 1)
  // ogr2ogr ends the names of a layer of one attribute with a comma that its rows do not have.
  const hasComma = head.cells.length > 1 && head.cells.at(-1) === '' && next?.cells.length === head.cells.length - 1
  if (hasComma) head.cells.pop()
  const batches = withFirst(begun.slice(1), read)
  return { head, batches, rows: flat(batches) }
}

async function* withFirst<Part>(first: Part, others: AsyncIterable<Part>): AsyncGenerator<Part> {
  yield first
  yield* others
}

async function* flat<Item>(batches: AsyncIterable<Item[]>): AsyncGenerator<Item> {
  for await (const batch of batches) yield* batch
}

/** The first line shows how the file is written. */
function delimiterOf(text: string): string {
  const withoutQuoted = text.replace(/"(?:[^"]|"")*"/g, '')
  const [line = ''] = withoutQuoted.trimStart().split('\n', 1)
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

async function* batchesOfFile(
  first: string,
  others: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<CsvRow[]> {
  let [held, scanned, line] = ['', 0, 1]
  const take = (isLast: boolean) => {
    const taken = rowsOf(held, { delimiter, line, isLast })
    scanned = taken.rest.length
    ;({ rest: held, line } = taken)
    if (scanned > LONGEST_LINE)
      throw new FileFault(`line ${line}: the row that begins here is longer than 16 MiB.`, line)
    return taken.rows
  }
  for await (const piece of withFirst(first, others)) {
    held += piece
    // A long quoted value is scanned again only once twice as much came.
    if (held.length >= 2 * scanned) yield take(false)
  }
  yield take(true)
}

type Lines = { delimiter: string; line: number; isLast: boolean }

/** Takes the rows that are whole; `rest` begins with a row whose quoted value goes on, on `line`. */
function rowsOf(text: string, { delimiter, line: from, isLast }: Lines) {
  const rows: CsvRow[] = []
  let [at, line, quote] = [0, from, text.indexOf('"')]
  while (at < text.length) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed
    if (quote !== -1 && quote < at) quote = text.indexOf('"', at)
    if (quote === -1 || quote > end) {
      const whole = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end)
      if (whole !== '') rows.push({ line, cells: whole.split(delimiter) })
      at = end + 1
      line += 1
      continue
    }
    const row = quotedRow(text, at, delimiter)
    if (!row) break
    rows.push({ line, cells: row.cells })
    line += text.slice(at, row.next).split('\n').length - 1
    at = row.next
  }
  if (isLast && at < text.length)
    throw new FileFault(`line ${line}: a quoted value has no end. It begins in this row.`, line)
  return { rows, line, rest: text.slice(at) }
}

/** Undefined where a quoted value has no end. A quote inside of a value, as in 5", is kept. */
function quotedRow(text: string, start: number, delimiter: string): { cells: string[]; next: number } | undefined {
  const cells: string[] = []
  for (let at = start; ; at += 1) {
    let cell = ''
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1)
      while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
      if (close === -1) return undefined
      cell = text.slice(at + 1, close).replaceAll('""', '"')
      at = close + 1
      if (!isEnd(text, at, delimiter)) cell = `"${cell}"`
    }
    const begun = at
    while (!isEnd(text, at, delimiter)) at += 1
    cells.push(cell + text.slice(begun, at))
    if (text[at] === delimiter) continue
    return { cells, next: at + (text[at] === '\r' ? 2 : 1) }
  }
}

const isEnd = (text: string, at: number, delimiter: string) =>
  at >= text.length || text[at] === delimiter || text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')

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
