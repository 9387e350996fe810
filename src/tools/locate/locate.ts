/** Writes the frame of each point of a CSV file beside its row. */
import type { Progress } from '../load/progress.js'
import { existsSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../core/counted.js'
import { csvCell } from '../../core/csv.js'
import type { Database } from '../../core/db/connect.js'
import { pointsLocated, type LocatedPoint } from '../../core/db/statements.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import {
  collectColumns,
  storedValue,
  uniqueNames,
  type ColumnCollector,
  type FrameValues,
} from '../../core/frame-file/columns.js'
import { valuesOn } from '../../core/frame-file/values.js'
import { whileUnchanged } from '../export/frames.js'
import { jsonLines, nameFile, withParts, writeTexts } from '../export/part.js'
import { pointColumns, pointIn, type FilePoint, type PointColumns } from '../load/coordinates.js'
import { openCsv, type CsvForm, type CsvRow } from '../load/csv-file.js'
import { bytesOf } from '../load/input-file.js'

export type LocateJob = {
  input: string | AsyncIterable<Buffer>
  output: string
  rejected: string
  columns: { lon?: string | undefined; lat?: string | undefined }
  units: boolean
  /** Whether a text in the added columns may be no formula. */
  guards: boolean
  layers: string[]
}
type LocateCounts = { rows: number; located: number; outside: number; rejected: number }
export type LocateResult = LocateCounts & {
  file: string
  rejectedFile?: string
  seconds: number
  values?: { layerId: string; rows: number }[]
}

type LocateRun = LocateJob & { db: Database; progress: Progress }
/** The files of a run before they have their names. `rows` waits for the columns of values. */
type Paths = { located: string; rejected: string; rows: string }

const ROWS_OF_BATCH = 5000
const BATCHES_BETWEEN_MESSAGES = 10

export async function locatePoints(db: Database, job: LocateJob, progress: Progress): Promise<LocateResult> {
  const started = performance.now()
  const { input, output, rejected, layers } = job
  return await withParts([output, rejected], async ([folder = '', folderOfRejected = '']) => {
    const paths = {
      located: join(folder, 'located.csv'),
      rejected: join(folderOfRejected, 'rejected.csv'),
      rows: join(folder, 'rows'),
    }
    // A stream is read once.
    const reading = { db, layers, progress, ...(typeof input === 'string' ? {} : { attempts: 1 }) }
    const { counts, values } = await whileUnchanged(reading, () => locateAll({ ...job, db, progress }, paths))
    if (counts.rejected > 0) await nameFile(paths.rejected, rejected)
    else await removeRejected(rejected)
    await nameFile(paths.located, output)
    return {
      file: output,
      ...counts,
      ...(counts.rejected > 0 ? { rejectedFile: rejected } : {}),
      seconds: Math.round((performance.now() - started) / 100) / 10,
      ...(layers.length > 0 ? { values } : {}),
    }
  })
}

type LocatedFile = { counts: LocateCounts; values: { layerId: string; rows: number }[] }
/** A row may span lines of the file, but not of the rows that wait. */
type WaitingRow = [text: string, values: FrameValues]

async function locateAll(run: LocateRun, paths: Paths): Promise<LocatedFile> {
  const { input, units, layers, guards } = run
  const csv = await openCsv(typeof input === 'string' ? bytesOf(input, 'points') : input, { keepsText: true })
  const form = { ...csv.form, guards }
  const name = uniqueNames(csv.head.cells)
  const fields = ['frame_id', ...(units ? UNIT_FIELDS : [])]
  const names = fields.map((field) => name(field, 'frame'))
  const collector = collectColumns(layers, uniqueNames([...csv.head.cells, ...fields]))
  const table: PointTable = {
    columns: pointColumns(csv.head.cells, run.columns),
    rows: csv.rows,
    collector,
    form,
    head: form.byteOrderMark + withCells(csv.head.text, names, form),
    rejectedHead: `${form.byteOrderMark}${['line', 'reason', csv.head.text].join(form.delimiter)}${form.lineEnd}`,
  }
  if (layers.length === 0) return { counts: await locateRows(run, table, paths.rejected, paths.located), values: [] }
  const counts = await locateRows(run, table, paths.rejected, paths.rows)
  const columns = collector.columns()
  const line = (text: string, added: string[]) => withCells(text, added, form) + form.lineEnd
  const namesOfValues = columns.map((column) => column.name)
  await writeTexts(paths.located, async (add) => {
    await add(line(table.head, namesOfValues))
    for await (const [text, values] of jsonLines<WaitingRow>(paths.rows)) {
      const added = columns.map((column) => storedValue(values, column))
      await add(line(text, added))
    }
  })
  const recorded = collector.recorded()
  return { counts, values: layers.map((layerId) => ({ layerId, rows: recorded[layerId] ?? 0 })) }
}

type OutputForm = CsvForm & { guards: boolean }
/** `head` and `rejectedHead`: the names of both files. The names of values come after `head`. */
type PointTable = {
  columns: PointColumns
  rows: AsyncIterable<CsvRow>
  collector: ColumnCollector
  form: OutputForm
  head: string
  rejectedHead: string
}

function locateRows(run: LocateRun, table: PointTable, rejectedPath: string, path: string): Promise<LocateCounts> {
  const { db, units, layers, progress } = run
  const { columns, collector, form } = table
  const counts: LocateCounts = { rows: 0, located: 0, outside: 0, rejected: 0 }
  return writeTexts(rejectedPath, (reject) =>
    writeTexts(path, async (add) => {
      await reject(table.rejectedHead)
      if (layers.length === 0) await add(table.head + form.lineEnd)
      let batches = 0
      for await (const rows of batchesOf(table.rows)) {
        const points = rows.map(({ cells }) => pointIn(cells, columns))
        const frames = await framesOfPoints(db, points)
        const values = await valuesOn(db, [...new Set(frames.flatMap((frame) => frame?.id ?? []))], layers)
        for (const [i, { line, text }] of rows.entries()) {
          const [point, frame] = [points[i], frames[i]]
          counts.rows += 1
          if (typeof point === 'string') {
            counts.rejected += 1
            await reject([line, csvCell(point, form), text].join(form.delimiter) + form.lineEnd)
            continue
          }
          counts[frame ? 'located' : 'outside'] += 1
          const names = units ? UNIT_FIELDS.map((field) => frame?.[field] ?? '') : []
          const located = withCells(text, [frame?.id ?? '', ...names], form)
          const recorded = (frame && values.get(frame.id)) ?? []
          collector.add(recorded)
          await add(layers.length > 0 ? `${JSON.stringify([located, recorded])}\n` : located + form.lineEnd)
        }
        batches += 1
        if (batches % BATCHES_BETWEEN_MESSAGES === 0) progress(counted(counts.rows, 'row'))
      }
      return counts
    }),
  )
}

const withCells = (text: string, added: readonly string[], form: OutputForm): string =>
  [text, ...added.map((cell) => csvCell(cell, form))].join(form.delimiter)

/** Undefined for a point off the grid, and for a row without one. */
async function framesOfPoints(
  db: Database,
  points: readonly (FilePoint | string)[],
): Promise<(LocatedPoint | undefined)[]> {
  const found = points.map((): LocatedPoint | undefined => undefined)
  const usable = points.flatMap((point, i) => (typeof point === 'string' ? [] : [{ ...point, i }]))
  const rows = await pointsLocated(
    db,
    usable.map(({ lon }) => lon),
    usable.map(({ lat }) => lat),
  )
  for (const row of rows) {
    const at = usable[row.place - 1]
    if (at) found[at.i] = row
  }
  return found
}

async function* batchesOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_OF_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Removes the rejected rows of an earlier run. A file that has something else stays. */
async function removeRejected(path: string): Promise<void> {
  if (!existsSync(path)) return
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0).finally(() => file.close())
  if (/^\uFEFF?line([,;\t|])reason\1/.test(buffer.toString('utf8', 0, bytesRead))) rmSync(path)
}
