/** Stops a service: the first signal lets open requests end, the second cuts them. */
import { constants } from 'node:os'
import { waitAtMost } from '../../core/deadline.js'
import type { Running } from '../../server/http-server.js'
import type { Output } from './command.js'

/** How long open requests may take to end after the first signal. */
const STOP_MS = 10_000

/** How long the log lines of requests that were cut may take to be written. */
const LAST_LINES_MS = 200

/** A whole stop takes at most this long beside DRAIN_SECONDS, though the database hangs: docs/deploy.md says so. */
const WHOLE_STOP_MS = STOP_MS + 2000

/** Returns the moment of performance.now() at which the process has to end. */
export async function serveUntilStopped(
  running: Running,
  { drainMs, onDrain, output }: { drainMs: number; onDrain: () => void; output: Output },
): Promise<number> {
  // At a second signal the database stays open: closing one that hangs takes five seconds. The embedded one survives
  // that as it survives kill -9.
  await firstSignal(output, () => {
    setTimeout(() => process.exit(), LAST_LINES_MS)
    return `${running.cut()} open requests were cut`
  })
  const until = performance.now() + drainMs + WHOLE_STOP_MS
  onDrain()
  const cut = await closeWithin(running, drainMs + STOP_MS)
  if (cut > 0) output.progress(`${cut} open requests were cut`)
  return until
}

/** Closes what requests needed. What a dependency that hangs would hold open ends with the process. */
export function closeUntil(until: number, close: (ms: number) => Promise<unknown>): Promise<void> {
  const ms = Math.max(0, until - performance.now())
  return waitAtMost(ms, close(ms))
}

/** Cuts the requests that are open after so long, and returns their number. */
async function closeWithin(running: Running, ms: number): Promise<number> {
  let cut = 0
  const timer = setTimeout(() => (cut = running.cut()), ms)
  await running.close()
  clearTimeout(timer)
  return cut
}

/**
 * Waits for the first signal. At the second, `cut` ends the open requests and says so; the exit status is then that of a
 * program which the signal ended.
 */
async function firstSignal({ progress }: Output, cut: () => string): Promise<void> {
  await nextSignal()
  const cutAtSecond = async () => {
    const signal = await nextSignal()
    process.exitCode = 128 + constants.signals[signal]
    progress(`ended by a second ${signal}: ${cut()}`)
  }
  // This comes before the message: a person who reads it may send the second signal at once.
  void cutAtSecond()
  progress('stopping once the open requests have their answers; a second signal cuts them off')
}

function nextSignal(): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((resolve) => {
    const listener = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', listener).off('SIGINT', listener)
      resolve(signal as 'SIGTERM' | 'SIGINT')
    }
    process.on('SIGTERM', listener).on('SIGINT', listener)
  })
}
