/**
 * Counts in memory what a table keeps, and adds it to the table every few seconds, and once more when the process stops,
 * so that no call waits for a write.
 */
import { waitAtMost } from './deadline.js'

export type Counts = {
  /** Adds all counts to the table now. A write that is under way is the same one. It never throws. */
  write: () => Promise<void>
  /** The number of rows that are not in the table yet. */
  waiting: () => number
  /** Writes the rest, for at most `ms`, and counts nothing more. */
  close: (ms: number) => Promise<void>
}

export type CountEvent =
  | { kind: 'written'; times: number }
  /** The counts wait for the next try. */
  | { kind: 'failed'; reason: string }
  /** These are in no table and never will be. */
  | { kind: 'dropped'; times: number }

/** `rowsMax`: as many rows wait in memory at most. */
export type CountingOptions = {
  onEvent: (event: CountEvent) => void
  everyMs?: number | undefined
  rowsMax?: number
  now?: () => number
}

type Table<Row> = Omit<CountingOptions, 'now'> & {
  rowsMax: number
  rowsOfWrite: number
  /** A group has a handful of rows: a search among them is faster than a text made of all that a row is about. */
  groupOf: (row: Row) => string
  groupMax?: number
  isSame: (row: Row, other: Row) => boolean
  /** Takes over what is not added up. A row whose write failed comes after newer ones. */
  renew?: (row: Row, other: Row) => void
  /**
   * PostgreSQL aborts what runs when it restarts or fails, so that a retry counts once. Where only the answer was lost,
   * a retry counts twice.
   */
  add: (rows: readonly Row[]) => Promise<unknown>
}

/** A write takes a moment of the database for each row. Figures of the web app are this old at most. */
const WRITE_EVERY_MS = 15_000

export function openCounts<Row extends { times: number }>(table: Table<Row>): Counts & { count: (row: Row) => void } {
  const { everyMs = WRITE_EVERY_MS, onEvent } = table
  const buffer = rowBuffer(table)
  /** Rows of the write that is under way. */
  let taken: Row[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false
  const waiting = () => buffer.size() + taken.length

  function put(row: Row): void {
    if (!buffer.put(row, waiting() < table.rowsMax)) onEvent({ kind: 'dropped', times: row.times })
  }

  /** Rows that could not be added are counted on with those that came meanwhile. */
  async function writeAll(): Promise<void> {
    for (taken = buffer.take(); taken.length > 0; taken = taken.slice(table.rowsOfWrite)) {
      const part = taken.slice(0, table.rowsOfWrite)
      try {
        await table.add(part)
      } catch (error) {
        for (const row of taken.splice(0)) put(row)
        return onEvent({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      }
      onEvent({ kind: 'written', times: timesOf(part) })
    }
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    writing ??= writeAll().finally(() => {
      writing = undefined
      timer = undefined
      if (waiting() > 0) writeLater()
    })
    return writing
  }

  /** No timer runs in a process that counts nothing, such as a dry run. */
  function writeLater(): void {
    if (!isClosed) timer ??= setTimeout(() => void write(), everyMs).unref()
  }

  return {
    count: (row) => {
      if (isClosed) return onEvent({ kind: 'dropped', times: row.times })
      put(row)
      writeLater()
    },
    write,
    waiting,
    close: async (ms) => {
      isClosed = true
      clearTimeout(timer)
      await waitAtMost(ms, Promise.resolve(writing).then(write))
      const times = timesOf([...buffer.take(), ...taken])
      if (times > 0) onEvent({ kind: 'dropped', times })
    },
  }
}

function rowBuffer<Row extends { times: number }>(table: Table<Row>) {
  const { groupOf, groupMax = Infinity, isSame, renew } = table
  const groups = new Map<string, Row[]>()
  let rows = 0
  return {
    size: () => rows,
    /** False where the row is neither counted already nor has room. */
    put: (row: Row, hasRoom: boolean): boolean => {
      const key = groupOf(row)
      const group = groups.get(key) ?? []
      const counted = group.find((each) => isSame(each, row))
      if (counted) {
        counted.times += row.times
        renew?.(counted, row)
        return true
      }
      if (!hasRoom || group.length >= groupMax) return false
      group.push(row)
      groups.set(key, group)
      rows += 1
      return true
    },
    take: (): Row[] => {
      const all = [...groups.values()].flat()
      groups.clear()
      rows = 0
      return all
    },
  }
}

const timesOf = (rows: readonly { times: number }[]): number => rows.reduce((sum, { times }) => sum + times, 0)
