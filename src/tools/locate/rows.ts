/** Writes rows of points with their frames as lines: final ones, or ones that wait for the columns of values. */
import { createReadStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { csvCell } from '../../core/csv.js'
import { collectColumns, uniqueNames, storedValue } from '../export/columns.js'
import { writeLines } from '../export/rows-part.js'
import { pathOfVersions, valuesOn, type Charges, type FrameValues } from '../export/values.js'
import type { Point } from '../../api/http/params.js'
import { pointIn, type PointColumns } from '../load/coordinates.js'
import type { CsvFile, CsvForm, CsvRow } from '../load/csv-file.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import type { Locator } from './locator.js'

/** How the added cells are written: as the cells of the file, with the guard against formulas or without. */
type OutputForm = CsvForm & { guards: boolean }
export type PointsFile = CsvFile & { form: OutputForm }

export type PointTable = {
  locator: Locator
  columns: PointColumns
  units: boolean
  layers: readonly string[]
  charges: Charges
}
export type LocatedRows = { lines: string; rejectedLines: string; located: number; outside: number; rejected: number }

/** This path of the API has another ETag once the index or one of the datasets is another. */
export const tagPath = (layers: readonly string[]): string =>
  layers.length > 0 ? pathOfVersions(layers) : '/v1/states'

const frameFields = (units: boolean) => ['frame_id', ...(units ? UNIT_FIELDS : [])]

/** The head of the output; `values` are the names of the columns of values. */
export function locatedHead({ form, head }: PointsFile, units: boolean, values: readonly string[]): string {
  const name = uniqueNames(head.cells)
  const added = [...frameFields(units).map((field) => name(field, 'frame')), ...values]
  return form.byteOrderMark + locatedLine(form, head.text, added)
}

export const rejectedHead = ({ form, head }: PointsFile): string =>
  form.byteOrderMark + ['line', 'reason', head.text].join(form.delimiter) + form.lineEnd

/** Says whether the file begins as rejectedHead does. False where there is none. */
export async function isOfRejectedRows(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0)
    return /^\uFEFF?line([,;\t|])reason\1/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

const locatedLine = (form: OutputForm, text: string, added: readonly string[]): string =>
  [text, ...added.map((cell) => csvCell(cell, form))].join(form.delimiter) + form.lineEnd

/** `points` has the reason where a row has no usable point, `found` the frames of the others, and `ids` each of them once. */
export async function framesOfRows(
  { locator, columns }: Pick<PointTable, 'locator' | 'columns'>,
  rows: readonly CsvRow[],
) {
  const points = rows.map(({ cells }) => pointIn(cells, columns))
  const found = await locator.framesAt(points.filter((point): point is Point => typeof point !== 'string'))
  return { points, found, ids: [...new Set(found.flatMap((frame) => frame?.id ?? []))] }
}

/** Each row is in the lines or in the rejected lines, never in both. */
export async function locateRows(table: PointTable, form: OutputForm, rows: readonly CsvRow[]): Promise<LocatedRows> {
  const { locator, units, layers, charges } = table
  const { points, found, ids } = await framesOfRows(table, rows)
  const values = layers.length > 0 ? await valuesOn(locator.api, ids, layers, charges) : undefined
  const result: LocatedRows = { lines: '', rejectedLines: '', located: 0, outside: 0, rejected: 0 }
  let place = 0
  for (const [i, { line, text }] of rows.entries()) {
    const point = points[i]
    if (typeof point === 'string') {
      result.rejected += 1
      result.rejectedLines += [line, csvCell(point, form), text].join(form.delimiter) + form.lineEnd
      continue
    }
    const frame = found[place]
    place += 1
    result[frame ? 'located' : 'outside'] += 1
    const added = [frame?.id ?? '', ...(units ? UNIT_FIELDS.map((field) => frame?.units[field] ?? '') : [])]
    const written = locatedLine(form, text, added)
    result.lines += values ? waitingLine(written, frame && values.get(frame.id)) : written
  }
  return result
}

/** A row may span lines of the file, but not of the part. */
const waitingLine = (line: string, values: FrameValues | undefined): string =>
  `${JSON.stringify([line, values ?? []])}\n`

async function* waitingRows(part: string): AsyncGenerator<[line: string, values: FrameValues]> {
  for await (const line of createInterface({ input: createReadStream(part), crlfDelay: Infinity }))
    yield JSON.parse(line) as [string, FrameValues]
}

/** Writes the rows of a part with their values. Returns the rows that each dataset has values for. */
export async function addValues(
  file: PointsFile,
  { units, layers }: PointTable,
  part: string,
  written: string,
): Promise<Record<string, number>> {
  const { form, head } = file
  const collector = collectColumns(layers, [...head.cells, ...frameFields(units)])
  for await (const [, values] of waitingRows(part)) collector.add(values)
  const columns = collector.columns()
  const names = columns.map(({ name }) => name)
  async function* lines(): AsyncGenerator<string> {
    yield locatedHead(file, units, names)
    for await (const [line, values] of waitingRows(part)) {
      const text = line.slice(0, line.length - form.lineEnd.length)
      yield locatedLine(
        form,
        text,
        columns.map((column) => storedValue(values, column)),
      )
    }
  }
  await writeLines(written, lines())
  return collector.recorded()
}
