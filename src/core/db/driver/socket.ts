/**
 * Fault: postgres.js 3.4.9 copies the chunks of a large message together, and Node allocates each chunk. Twice the
 *   bytes of an answer lie outside V8's heap then. Steps: ask for boxes of 5,000 frames.
 * Link: porsager/postgres#229; for the cost of memory outside the heap, see page-memory.ts.
 * Gain: a box costs the service 0.83 of the processor time, and a further half with the memory of page-memory.ts.
 * Delete it when postgres.js reads a large message into memory that its caller provides.
 */
import { Buffer } from 'node:buffer'
import net from 'node:net'
import type { PageMemory } from './page-memory.js'

const SOCKET_READ_BYTES = 64 * 1024
/** A longer message gets memory of its own, unless it arrives in one read. */
const LARGE_BYTES = 32 * 1024
/** PostgreSQL sends no longer message. */
const LONGEST_BYTES = 1024 * 1024 * 1024
/** A letter, and the length of the rest, these four bytes included. */
const HEADER_BYTES = 5

export function readingSocket(target: net.NetConnectOpts, memory: PageMemory): net.Socket {
  const { space, arrived } = wholeMessages(memory, (messages) => socket.emit('data', messages))
  const callback = (count: number) => {
    try {
      arrived(count)
    } catch (error) {
      socket.destroy(error as Error)
    }
    return true
  }
  // Node calls a function for the buffer of each read; its types only know one buffer for all reads.
  const reading: object = { onread: { buffer: space, callback } }
  const socket = new net.Socket(reading)
  failIfClosedAtStart(socket)
  // postgres.js adds its listeners a moment after it got the socket: nobody would hear an earlier error.
  setImmediate(() => {
    if (!socket.destroyed) socket.connect(target)
  })
  return socket
}

/** Hands on messages that have arrived whole: several small ones together, or a large one. */
export function wholeMessages(memory: PageMemory, handOn: (messages: Buffer) => void) {
  const small = Buffer.allocUnsafeSlow(SOCKET_READ_BYTES)
  let large: Buffer | undefined
  /**
   * Bytes of the message that has not arrived whole. They are in `large` if there is one, else at the start of `small`.
   */
  let begun = 0

  /** This many bytes have arrived in `space`. */
  function arrived(count: number): void {
    begun += count
    if (large) {
      if (begun < large.length) return
      const whole = large
      large = undefined
      begun = 0
      return handOn(whole)
    }
    let at = 0
    let length = 0
    while (begun - at >= HEADER_BYTES) {
      length = 1 + small.readUInt32BE(at + 1)
      if (length > LONGEST_BYTES) throw new Error('The server that answers there is not PostgreSQL.')
      if (length > begun - at) break
      at += length
    }
    const whole = at > 0 ? Buffer.from(small.subarray(0, at)) : undefined
    if (begun - at >= HEADER_BYTES && length > LARGE_BYTES) large = memory.take(length)
    small.copy(large ?? small, 0, at, begun)
    begun -= at
    if (whole) handOn(whole)
  }

  return { space: () => (large ?? small).subarray(begun), arrived }
}

/**
 * Fault: postgres.js 3.4.9 connects again and again, and fails no statement, where the other side closes each new
 *   connection without a word. Steps: a statement by way of HAProxy while no server is there. It waits for ever; it
 *   should fail as lost.
 * Link: porsager/postgres src/connection.js, closed() returns reconnect() where there is `initial`; not reported.
 * Gain: a read by way of HAProxy goes to a replica after 2.5 seconds, not after its deadline of 10.
 * Delete it when closed() of postgres.js rejects the statement that opened the connection.
 */
function failIfClosedAtStart(socket: net.Socket): void {
  socket.once('end', () => {
    if (socket.bytesRead > 0) return
    socket.destroy(Object.assign(new Error('The server closed the connection at once.'), { code: 'ECONNRESET' }))
  })
}
