/** Ends the processes that tests started together with the test process, however that ends. */
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { once } from './once.js'

const running = once(() => {
  const children = new Map<ChildProcess, NodeJS.Signals>()
  // This runs before the folder is removed in which the children work.
  process.prependListener('exit', () => children.forEach((signal, child) => child.kill(signal)))
  return children
})

/** Sends the signal to the child when this process ends, unless the child has ended before. */
export function endsWithTests(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  running().set(child, signal)
  child.once('exit', () => running().delete(child))
}

/**
 * Lets signals end this process with the event "exit", which they skip where nothing listens to them. A second signal
 * changes nothing: npm may send one while the process removes its files.
 */
export function exitOnSignals(): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}
