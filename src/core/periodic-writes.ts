/**
 * Writes what a process counts in memory every few seconds, and once more when the process stops, so that no call waits
 * for a write.
 */
import { waitAtMost } from './deadline.js'

export type WrittenCounts = {
  /** Adds all counts to the tables now. A write that is under way is the same one. It never throws. */
  write: () => Promise<void>
  /** The number of rows that are not in the tables yet. */
  waiting: () => number
  /** Writes the rest, for at most `ms`, and counts nothing more. */
  close: (ms: number) => Promise<void>
}

/** `rowsMax`: as many rows wait in memory at most. */
export type CountingOptions = { everyMs?: number | undefined; rowsMax?: number; now?: () => number }

type PeriodicWrites = Omit<WrittenCounts, 'waiting'> & {
  /** Sees to a write within `everyMs`. */
  writeLater: () => void
  isClosed: () => boolean
}

/** `writeAll` never throws. What it could not write is still `waiting`, and is tried again later. */
type WaitingCounts = { writeAll: () => Promise<void>; waiting: () => number; everyMs?: number | undefined }

/** A write takes a moment of the database for each key in use. Figures of the web app are this old at most. */
const WRITE_EVERY_MS = 15_000

export function periodicWrites({ writeAll, waiting, everyMs = WRITE_EVERY_MS }: WaitingCounts): PeriodicWrites {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false

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
    if (isClosed) return
    timer ??= setTimeout(() => void write(), everyMs)
    timer.unref()
  }

  return {
    writeLater,
    write,
    isClosed: () => isClosed,
    close: async (ms) => {
      isClosed = true
      clearTimeout(timer)
      await waitAtMost(ms, Promise.resolve(writing).then(write))
    },
  }
}
