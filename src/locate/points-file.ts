/** Reads a CSV file of points. The text of each row is kept as it is, so that a row of the output begins with it. */
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { csvFault, LONGEST_LINE, plainText, rowEnds } from '../load/csv-rows.js'
import { FileFault } from '../load/faults.js'

export type PointRow = {
  /** The line on which the row begins, from 1. */
  line: number
  text: string
  cells: string[]
}
export type CsvForm = { delimiter: string; lineEnd: string; byteOrderMark: string }
export type PointsFile = { form: CsvForm; head: PointRow; rows: AsyncGenerator<PointRow> }

const BYTE_ORDER_MARK = '\uFEFF'
const DELIMITERS = [',', ';', '\t', '|']

export async function openPoints(source: AsyncIterable<Buffer>): Promise<PointsFile> {
  const pieces = plainText(source)
  const { value: first = '' } = (await pieces.next()) as { value?: string }
  const form = formOf(first)
  const rows = rowsOf(first.slice(form.byteOrderMark.length), pieces, form)
  const { value: head } = (await rows.next()) as { value?: PointRow }
  if (!head) throw new FileFault('line 1: the names of the columns are needed; the file is empty.', 1)
  return { form, head, rows }
}

/** The first line shows how the file is written. */
function formOf(text: string): CsvForm {
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const withoutQuoted = text.slice(byteOrderMark.length).replace(/"(?:[^"]|"")*"/g, '')
  const [line = ''] = withoutQuoted.split('\n', 1)
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
  return { delimiter, lineEnd: line.endsWith('\r') ? '\r\n' : '\n', byteOrderMark }
}

async function* joined(first: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* pieces
}

async function* rowsOf(first: string, pieces: AsyncIterable<string>, form: CsvForm): AsyncGenerator<PointRow> {
  const ends = rowEnds()
  const options = {
    ...ends.options,
    delimiter: form.delimiter,
    record_delimiter: ['\r\n', '\n'],
    info: true,
    raw: true,
    relax_column_count: true,
    // A value such as 5" is kept.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_LINE,
  }
  const parser = pipeline(joined(first, pieces), parse(options), () => {})
  let line = 0
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<CsvRecord>) {
      line = info.lines
      // csv-parse adds empty lines before the row and a part of the line end.
      const text = raw.replace(/^[\r\n]+|[\r\n]+$/g, '')
      yield { line: line - (text.split('\n').length - 1), text, cells: record }
    }
  } catch (error) {
    throw csvFault(error, line, ends)
  }
}

type CsvRecord = { record: string[]; raw: string; info: { lines: number } }

export const cellFor = ({ delimiter }: CsvForm, text: string): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
