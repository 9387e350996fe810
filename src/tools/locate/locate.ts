/** Writes the frame of each point of a CSV file beside its row. */
import { rmSync, statSync } from 'node:fs'
import { counted } from '../../core/counted.js'
import { takeLock } from '../../core/db/lock.js'
import { currentTag } from '../export/pages.js'
import { append, nameFile } from '../export/part-file.js'
import { addPricesOn, sumOfPrices, type RunPrice } from '../export/price.js'
import { pointColumns } from '../load/coordinates.js'
import { openCsv, type CsvRow } from '../load/csv-file.js'
import { FileFault } from '../load/faults.js'
import { bytesOf } from '../load/input-file.js'
import type { Locator } from './locator.js'
import {
  beginPartFiles,
  cutPartFiles,
  dropPartFiles,
  NOTHING_DONE,
  partFilesOf,
  readNotes,
  writeNotes,
  type PartFiles,
  type RunState,
} from './part-files.js'
import {
  addValues,
  framesOfRows,
  isOfRejectedRows,
  locatedHead,
  locateRows,
  rejectedHead,
  tagPath,
  type PointsFile,
  type PointTable,
} from './rows.js'

export type LocateJob = {
  input: string | AsyncIterable<Buffer>
  output: string
  /** The file for rows without a usable point. */
  rejected: string
  columns: { lon?: string | undefined; lat?: string | undefined }
  units: boolean
  /** Whether a text in the added columns may be no formula. */
  guards: boolean
  layers: readonly string[]
  /** The address of the API, or the name of the database: a run goes on with the rows of the same one. */
  source: string
}
type LocatedValues = { layerId: string; rows: number; charges: number }
export type LocateResult = {
  file: string
  rows: number
  located: number
  outside: number
  rejected: number
  rejectedFile?: string
  resumedAt: number
  seconds: number
  values?: LocatedValues[]
}

type LocateRun = LocateJob & { locator: Locator; parts: PartFiles; progress: (step: string) => void }
type Done = { state: RunState; resumedAt: number; file: PointsFile; table: PointTable }

/** A run begins anew so often where the index or a dataset changes meanwhile. */
const ATTEMPTS = 3
const BATCHES_BETWEEN_MESSAGES = 10

export async function locatePoints(
  locator: Locator,
  job: LocateJob,
  progress: (step: string) => void,
): Promise<LocateResult> {
  const started = performance.now()
  const run: LocateRun = { ...job, locator, parts: partFilesOf(job.output, job.rejected), progress }
  const lock = takeLock(`${run.parts.out}.lock`)
  if ('heldBy' in lock) throw new Error(`Process ${lock.heldBy} is writing ${job.output} already.`)
  try {
    const done = await locateWhole(run)
    const values = await finishFiles(run, done)
    const { rows, located, outside, rejected } = done.state
    return {
      file: job.output,
      rows,
      located,
      outside,
      rejected,
      ...(rejected > 0 ? { rejectedFile: job.rejected } : {}),
      resumedAt: done.resumedAt,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      ...(values ? { values } : {}),
    }
  } catch (error) {
    // No later run goes on with the rows of a file that has to be corrected first.
    if (error instanceof FileFault) dropPartFiles(run.parts)
    throw error
  } finally {
    lock.release()
  }
}

/** `rows` would be located by this run, beside those that an earlier one wrote. */
export type LocatePrice = RunPrice & { file: string; rows: number; located: number; resumedAt: number }

/** Adds up what a run of this job would be charged now. Writes nothing. */
export async function priceOfLocate(
  locator: Locator,
  job: LocateJob,
  progress: (step: string) => void,
): Promise<LocatePrice> {
  const { layers, output, rejected } = job
  const request = requestOf(job)
  const before = request === undefined ? undefined : readNotes(partFilesOf(output, rejected), request)
  const isResumed = before !== undefined && (await currentTag(locator.api, tagPath(layers), before.tag)) === before.tag
  const resumedAt = isResumed ? before.progress.rows : 0
  const file = await openPoints(job)
  const columns = pointColumns(file.head.cells, job.columns)
  const sum = sumOfPrices(layers)
  let [rows, located] = [0, 0]
  for await (const batch of batchesOf(file.rows, locator.rowsAtOnce, resumedAt)) {
    const { found, ids } = await framesOfRows({ locator, columns }, batch)
    await addPricesOn(locator.api, ids, layers, sum)
    rows += batch.length
    located += found.filter(Boolean).length
    progress(counted(rows, 'row'))
  }
  return { file: output, rows, located, resumedAt, ...sum.total() }
}

async function locateWhole(run: LocateRun): Promise<Done> {
  const { input, output, progress } = run
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const done = await locateAll(run)
    if (done) return done
    if (typeof input !== 'string') break
    progress('the index or a dataset changed meanwhile: beginning anew')
  }
  throw new Error(`The index or a dataset changed while ${output} was being written. Run the command again.`)
}

/** Returns undefined where the index or a dataset changed before the end. */
async function locateAll(run: LocateRun): Promise<Done | undefined> {
  const { locator, parts, units, layers, progress } = run
  const request = requestOf(run)
  const before = request === undefined ? undefined : readNotes(parts, request)
  const tag = await currentTag(locator.api, tagPath(layers), before?.tag)
  const isResumed = before !== undefined && before.tag === tag
  const file = await openPoints(run)
  const columns = pointColumns(file.head.cells, run.columns)
  const table: PointTable = { locator, columns, units, layers, charges: {} }
  if (isResumed) cutPartFiles(parts, before.progress)
  else beginPartFiles(parts)
  let state = isResumed ? before.progress : await beginLines(run, file)
  const resumedAt = state.rows
  if (resumedAt > 0) progress(`going on after ${counted(resumedAt, 'row')}`)
  let batches = 0
  for await (const rows of batchesOf(file.rows, locator.rowsAtOnce, state.rows)) {
    state = await locateBatch(run, { file, table, state, rows })
    if (request !== undefined) writeNotes(parts, { request, tag, progress: state })
    batches += 1
    if (batches % BATCHES_BETWEEN_MESSAGES === 0) progress(counted(state.rows, 'row'))
  }
  if ((await currentTag(locator.api, tagPath(layers), tag)) !== tag) return undefined
  return { state, resumedAt, file, table }
}

async function openPoints({ input, guards }: LocateJob): Promise<PointsFile> {
  const { form, ...file } = await openCsv(typeof input === 'string' ? bytesOf(input, 'points') : input, {
    keepsText: true,
  })
  return { ...file, form: { ...form, guards } }
}

/** Undefined where the input can be read only once. */
function requestOf({ input, columns, units, guards, layers, source }: LocateJob): string | undefined {
  if (typeof input !== 'string') return undefined
  const { size, mtimeMs } = statSync(input)
  return JSON.stringify({ input, size, mtimeMs, columns, units, guards, layers, source })
}

async function beginLines({ parts, units, layers }: LocateRun, file: PointsFile): Promise<RunState> {
  return {
    ...NOTHING_DONE,
    length: layers.length > 0 ? 0 : await append(parts.out, locatedHead(file, units, [])),
    rejectedLength: await append(parts.rejected, rejectedHead(file)),
  }
}

type Batch = { file: PointsFile; table: PointTable; state: RunState; rows: CsvRow[] }

async function locateBatch({ parts }: LocateRun, { file, table, state, rows }: Batch): Promise<RunState> {
  const { lines, rejectedLines, located, outside, rejected } = await locateRows(table, file.form, rows)
  return {
    rows: state.rows + rows.length,
    located: state.located + located,
    outside: state.outside + outside,
    rejected: state.rejected + rejected,
    length: state.length + (await append(parts.out, lines)),
    rejectedLength: state.rejectedLength + (await append(parts.rejected, rejectedLines)),
  }
}

/** Leaves out the rows that an earlier run wrote. */
async function* batchesOf(rows: AsyncIterable<CsvRow>, size: number, done: number): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = []
  let place = 0
  for await (const row of rows) {
    place += 1
    if (place <= done) continue
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Removes the rejected rows of an earlier run. A file that has something else stays. */
async function removeRejected(path: string): Promise<void> {
  if (await isOfRejectedRows(path)) rmSync(path)
}

async function finishFiles(run: LocateRun, { state, file, table }: Done): Promise<LocatedValues[] | undefined> {
  const { parts, output, rejected, layers } = run
  let values: LocatedValues[] | undefined
  let written = parts.out
  if (layers.length > 0) {
    written = `${parts.out}.csv`
    const recorded = await addValues(file, table, parts.out, written)
    values = layers.map((layerId) => ({
      layerId,
      rows: recorded[layerId] ?? 0,
      charges: table.charges[layerId] ?? 0,
    }))
  }
  if (state.rejected > 0) await nameFile(parts.rejected, rejected)
  else await removeRejected(rejected)
  await nameFile(written, output)
  dropPartFiles(parts)
  return values
}
