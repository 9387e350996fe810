/** Counts the calls of each key by day, call and outcome: in memory first, and in the tables every few seconds. */
import type { Database } from '../db/connect.js'
import { keyUseWriter, type KeyUseEvent, type UseRow } from './key-use-writer.js'
import { periodicWrites } from '../periodic-writes.js'

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

/** A row takes about 250 bytes. 10,000 busy keys make 20,000 rows in fifteen seconds. */
const WAITING_USES_MAX = 50_000
const DAY_MS = 24 * 3600 * 1000

export function openKeyUse(
  db: Pick<Database, 'run'>,
  { onEvent, everyMs, rowsMax = WAITING_USES_MAX, now = Date.now }: KeyUseOptions,
): KeyUse {
  const writer = keyUseWriter(db, onEvent)
  let counts = new Map<string, UseRow[]>()
  let rows = 0
  const waiting = () => rows + writer.waitingRows()

  function writeAll(): Promise<void> {
    writer.add([...counts.values()].flat())
    counts = new Map()
    rows = 0
    return writer.write()
  }

  const { write, writeLater, isClosed, close } = periodicWrites({ writeAll, waiting, everyMs })
  return {
    count: (call) => {
      const at = now()
      if (!isClosed() && countAgain(counts.get(call.keyId), call, at)) return
      if (isClosed() || waiting() >= rowsMax) return onEvent({ kind: 'dropped', calls: 1 })
      addRow(counts, newRow(call, at))
      rows += 1
      writeLater()
    },
    write,
    waiting,
    close: async (ms) => {
      await close(ms)
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
