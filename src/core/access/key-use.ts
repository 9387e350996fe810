/**
 * Counts the calls of each key by day, call and outcome. A call is counted in memory. The counts are added to the
 * tables every few seconds, and once more when the process stops, so that no call waits for them.
 */
import type { Database } from '../db/connect.js'
import { waitAtMost } from '../deadline.js'
import { keyUseWriter, type KeyUseEvent, type UseRow } from './key-use-writer.js'

/** `call` is the pattern of a route. */
export type CountedCall = {
  keyId: string
  call: string
  /** ok, worded, not_modified, hung_up, or the code of the error. */
  outcome: string
  /** The bucket that refused the call; blank for every other outcome. */
  bucket: string
  requestId: string
}

export type KeyUse = {
  count: (call: CountedCall) => void
  /** Adds all counts to the tables now. It reports a failure, and never throws. */
  write: () => Promise<void>
  /** The number of rows that are not in the tables yet. */
  waiting: () => number
  /** Writes the rest, for at most `ms`, and counts nothing more. */
  close: (ms: number) => Promise<void>
}

type KeyUseOptions = {
  onEvent: (event: KeyUseEvent) => void
  everyMs?: number | undefined
  rowsMax?: number
  now?: () => number
}

/** A write takes a moment of the database for each key in use. Figures of the web app are this old at most. */
const WRITE_EVERY_MS = 15_000
/** A row takes about 250 bytes. 10,000 busy keys make 20,000 rows in fifteen seconds. */
const ROWS_MAX = 50_000
const DAY_MS = 24 * 3600 * 1000

export function openKeyUse(
  db: Pick<Database, 'run'>,
  { onEvent, everyMs = WRITE_EVERY_MS, rowsMax = ROWS_MAX, now = Date.now }: KeyUseOptions,
): KeyUse {
  const writer = keyUseWriter(db, onEvent)
  let counts = new Map<string, UseRow[]>()
  let rows = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false
  const waiting = () => rows + writer.waitingRows()

  function write(): Promise<void> {
    clearTimeout(timer)
    writing ??= writeAll().finally(() => {
      writing = undefined
      timer = undefined
      if (waiting() > 0) writeLater()
    })
    return writing
  }

  function writeAll(): Promise<void> {
    writer.add([...counts.values()].flat())
    counts = new Map()
    rows = 0
    return writer.write()
  }

  /** No timer runs in a process that counts nothing, such as a dry run. */
  function writeLater(): void {
    if (isClosed) return
    timer ??= setTimeout(() => void write(), everyMs)
    timer.unref()
  }

  return {
    count: (call) => {
      const at = now()
      if (!isClosed && countAgain(counts.get(call.keyId), call, at)) return
      if (isClosed || waiting() >= rowsMax) return onEvent({ kind: 'dropped', calls: 1 })
      addRow(counts, newRow(call, at))
      rows += 1
      writeLater()
    },
    write,
    waiting,
    close: async (ms) => {
      isClosed = true
      clearTimeout(timer)
      await waitAtMost(ms, Promise.resolve(writing).then(write))
      const calls = writer.waitingCalls()
      if (calls > 0) onEvent({ kind: 'dropped', calls })
    },
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS)

/** People look up the call behind a refusal. The others would only make the rows larger. */
const keptIdOf = ({ outcome, requestId }: CountedCall): string | null =>
  outcome === 'ok' || outcome === 'worded' || outcome === 'not_modified' ? null : requestId

const newRow = (call: CountedCall, at: number): UseRow => ({
  keyId: call.keyId,
  day: dayOf(at),
  call: call.call,
  outcome: call.outcome,
  bucket: call.bucket,
  calls: 1,
  at,
  lastRequestId: keptIdOf(call),
})

function addRow(counts: Map<string, UseRow[]>, row: UseRow): void {
  const rows = counts.get(row.keyId)
  if (rows) rows.push(row)
  else counts.set(row.keyId, [row])
}

/** A key has a handful of rows: a search among them is faster than a text made of all that a row is about. */
function countAgain(rows: UseRow[] | undefined, call: CountedCall, at: number): boolean {
  const day = dayOf(at)
  const row = rows?.find(
    (each) =>
      each.call === call.call && each.outcome === call.outcome && each.bucket === call.bucket && each.day === day,
  )
  if (!row) return false
  row.calls += 1
  row.at = at
  row.lastRequestId = keptIdOf(call)
  return true
}
