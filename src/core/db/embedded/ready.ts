/**
 * Fault: PGlite 0.5.8 sends "ready" at an error and again at the Sync that follows; PostgreSQL sends it once, at the
 *   Sync. Steps: send two statements at once, the first of which fails. The client takes the second "ready" for an
 *   empty answer to the second statement, and each later answer for that of the next statement.
 * Link: electric-sql/pglite#958.
 * Gain: no client gets the answer to another statement. The last "ready" of a round is sent once, at the end of the
 *   round.
 * Delete it when PGlite answers `select nothing` and its Sync with one "ready".
 */
import { Buffer } from 'node:buffer'
import { HEADER_LENGTH } from './messages.js'

const READY = 'Z'.charCodeAt(0)
const READY_LENGTH = 6

/** Sends answers on, but for each "ready". */
export function withoutReady(send: (bytes: Buffer) => void): {
  take: (bytes: Buffer) => void
  /** The last "ready" that came. */
  ready: () => Buffer | undefined
} {
  let ready: Buffer | undefined
  /** The start of a header whose rest has not arrived. */
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of the current message that have not arrived. */
  let left = 0

  function take(more: Buffer): void {
    const bytes = rest.length === 0 ? more : Buffer.concat([rest, more])
    let from = 0
    let at = 0
    for (;;) {
      const step = Math.min(left, bytes.length - at)
      at += step
      left -= step
      const isReady = bytes[at] === READY
      if (bytes.length - at < (isReady ? READY_LENGTH : HEADER_LENGTH)) break
      if (isReady) {
        send(bytes.subarray(from, at))
        ready = bytes.subarray(at, at + READY_LENGTH)
        from = at += READY_LENGTH
      } else left = 1 + bytes.readInt32BE(at + 1)
    }
    send(bytes.subarray(from, at))
    rest = bytes.subarray(at)
  }

  return { take, ready: () => ready }
}
