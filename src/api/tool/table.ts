/**
 * Enriches a table, for programs and for the web app. It waits in files, so that memory stays flat: it goes out once
 * every row is read and what it costs is charged.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { paidId } from '../../core/credits/index.js'
import type { DatasetRow } from '../../core/db/index.js'
import { deadlineIn } from '../../core/deadline.js'
import { invalid, invalidBody, rateLimited } from '../../core/errors.js'
import { type Bucket, waitSeconds } from '../../core/limits/index.js'
import { IDS_MAX } from '../../core/parameters.js'
import {
  type Column,
  type Form,
  givenCells,
  keptRows,
  openTable,
  type Table,
  type TableRow,
  tableText,
  type Told,
  toldOf,
} from '../../core/table/index.js'
import type { Services } from '../../services.js'

export const ROWS_MAX = 100_000
export const BYTES_MAX = 32 << 20
/** A batch is one statement, and spends from the buckets what a call does. */
const ROWS_OF_BATCH = 2000
/** Batches that are under way at a time: one is written while PostgreSQL reads the others. */
const AT_ONCE = 3
/** How long a table waits for the buckets in all. */
const WAIT_MAX_MS = 60_000
const ROWS_SHOWN = 10

/** A file of this request. It is deleted at the end. */
export async function withFolder<Answer>(use: (fileIn: (name: string) => string) => Promise<Answer>): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'frames-table-'))
  try {
    return await use((name) => join(folder, name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the hash of the bytes. The source has a listener from the start: an error without one ends the process. */
export async function keepBytes(source: AsyncIterable<Buffer>, path: string): Promise<string> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > BYTES_MAX) throw invalidBody(`The table is over ${BYTES_MAX >> 20} MiB.`)
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(counted(source), createWriteStream(path))
  } catch (error) {
    throw bytes > BYTES_MAX ? error : invalidBody('The table cannot be read.')
  }
  return hash.digest('hex')
}

/** `named`: the columns of places that the caller names. The first call of the buckets is spent already. */
type Asked = {
  path: string
  isJson: boolean
  asJson: boolean
  named: Record<string, string>
  columns: readonly Column[]
  buckets: readonly Bucket[]
  hangUp: AbortSignal
}
/** `shown`: the first rows, each with what it had and what was found. */
export type Enriched = Found & {
  head: readonly string[]
  shown: { given: string[]; told: Told }[]
  textWithout: (layerIds: readonly string[]) => AsyncGenerator<string>
}
/** `recorded`: on how many rows each dataset with a price says something. */
type Found = { rows: number; found: number; recorded: Map<string, number> }

/** Returns undefined where the client hung up. */
export async function enrichTable(
  services: Services,
  { path, isJson, asJson, named, columns, buckets, hangUp }: Asked,
): Promise<Enriched | undefined> {
  const table = await openTable(createReadStream(path), isJson, named)
  const form = { head: table.head, columns, asJson }
  const kept = `${path}.told`
  const file = await open(kept, 'w')
  const all: Enriched = {
    rows: 0,
    found: 0,
    recorded: new Map(),
    head: table.head,
    shown: [],
    textWithout: (layerIds) =>
      tableText(kept, form, (column) => !('dataset' in column && layerIds.includes(paidId(column.dataset)))),
  }
  try {
    const pass = throttle(services, buckets)
    const keep = keeper(file, form, all)
    const underWay: Promise<Batch>[] = []
    for await (const rows of batches(table.batches)) {
      if (hangUp.aborted) return undefined
      await pass()
      const batch = toldOf(services.readerForRequest(deadlineIn(services.callMs)), rows, columns)
      const next = batch.then((told) => ({ rows, told }))
      // A failure is heard where the batch is written.
      next.catch(() => {})
      if (underWay.push(next) === AT_ONCE) await keep(await underWay.shift())
    }
    for (const batch of underWay) await keep(await batch)
    return hangUp.aborted ? undefined : all
  } finally {
    await file.close()
  }
}

type Batch = { rows: TableRow[]; told: Told[] }

function keeper(file: FileHandle, form: Form, all: Enriched): (batch: Batch | undefined) => Promise<void> {
  const text = keptRows(form)
  const priced = [...form.columns.entries()].flatMap(([i, column]) =>
    'dataset' in column && column.dataset.price !== null ? [{ i, dataset: column.dataset }] : [],
  )
  return async (batch) => {
    if (!batch) return
    const { rows, told } = batch
    await file.write(text(rows, told))
    for (const [i, row] of rows.slice(0, ROWS_SHOWN - all.shown.length).entries())
      all.shown.push({ given: givenCells(row, form.head), told: told[i] ?? { values: [], reason: '' } })
    all.rows += rows.length
    for (const { values, reason } of told) {
      if (reason === '') all.found += 1
      const paid = priced.filter(({ i, dataset }) => isRecorded(dataset, values[i])).map((each) => paidId(each.dataset))
      for (const id of new Set(paid)) all.recorded.set(id, (all.recorded.get(id) ?? 0) + 1)
    }
  }
}

/** No feature is nothing recorded. */
const isRecorded = ({ kind }: DatasetRow, value: string | null | undefined) =>
  value !== null && value !== undefined && (kind === 'frames' || value !== '0')

/** A dataset costs its price for each 100 rows, begun, on which it says something. */
export const payableOf = (datasets: readonly DatasetRow[], { recorded }: Found) =>
  datasets.flatMap((dataset) => {
    const rows = recorded.get(paidId(dataset)) ?? 0
    if (dataset.price === null || rows === 0) return []
    return [{ ...dataset, price: dataset.price * Math.ceil(rows / IDS_MAX) }]
  })

async function* batches(read: Table['batches']): AsyncGenerator<TableRow[]> {
  let held: TableRow[] = []
  let before = 0
  for await (const rows of read) {
    held = [...held, ...rows]
    if (before + held.length > ROWS_MAX) throw invalid(`The table has over ${ROWS_MAX} rows: send it in parts.`)
    for (; held.length >= ROWS_OF_BATCH; before += ROWS_OF_BATCH) yield held.splice(0, ROWS_OF_BATCH)
  }
  if (held.length > 0) yield held
}

/** The first batch was spent with the call. Each other one spends as a call, and waits where the buckets are empty. */
function throttle({ limiter }: Services, buckets: readonly Bucket[]): () => Promise<void> {
  const until = performance.now() + WAIT_MAX_MS
  let isFirst = true
  return async () => {
    if (isFirst) return void (isFirst = false)
    for (;;) {
      // While the store is away, nothing is metered.
      const verdict = await limiter.spend(buckets)
      if (!verdict || verdict.passes) return
      const ms = verdict.waitMicros / 1000
      if (performance.now() + ms > until) throw rateLimited(verdict.name, verdict, waitSeconds(verdict))
      await sleep(ms)
    }
  }
}
