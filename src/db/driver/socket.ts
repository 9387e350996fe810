/** How answers of PostgreSQL are read: small ones together, a large one straight into memory of its size. */
import net from 'node:net'
import { memoryOf } from './page-memory.js'

/** What a socket reads at a time. */
const READ = 64 * 1024
/** A message longer than this has memory of its own, where it does not come in one read. */
const LARGE = 32 * 1024
/** PostgreSQL sends no longer ones; what seems so is not of PostgreSQL. */
const LONGEST = 1024 * 1024 * 1024
/** A letter, and the length of what follows it, with these four bytes. */
const HEADER = 5

/**
 * Left to itself, Node makes new memory for each read, and postgres.js copies together what was read of a large message: twice
 * the bytes of an answer lie outside V8's heap then, for which V8 collects all of it again and again.
 */
export function readingSocket(target: net.NetConnectOpts): net.Socket {
  const { space, came } = wholeMessages((messages) => socket.emit('data', messages))
  const callback = (count: number) => {
    try {
      came(count)
    } catch (error) {
      socket.destroy(error as Error)
    }
    return true
  }
  // Node asks for space before each read; its types know one buffer for all time only.
  const reading: object = { onread: { buffer: space, callback } }
  const socket = new net.Socket(reading)
  // postgres.js listens to a socket a moment after it was given one: an error before that would be nobody's.
  setImmediate(() => {
    if (!socket.destroyed) socket.connect(target)
  })
  return socket
}

type Messages = {
  /** Where the next bytes are to go. */
  space: () => Buffer
  /** So many bytes are there. */
  came: (count: number) => void
}

/** Hands on messages that have come whole: several small ones together, or a large one. */
export function wholeMessages(handOn: (messages: Buffer) => void): Messages {
  const small = Buffer.allocUnsafeSlow(READ)
  let large: Buffer | undefined
  /** Bytes of the message that has not come whole, in `large` where it has that, else at the start of `small`. */
  let begun = 0

  function came(count: number): void {
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
    while (begun - at >= HEADER) {
      length = 1 + small.readUInt32BE(at + 1)
      if (length > LONGEST) throw new Error('What answers there is not PostgreSQL.')
      if (length > begun - at) break
      at += length
    }
    const whole = at > 0 ? Buffer.from(small.subarray(0, at)) : undefined
    if (begun - at >= HEADER && length > LARGE) large = memoryOf(length)
    small.copy(large ?? small, 0, at, begun)
    begun -= at
    if (whole) handOn(whole)
  }

  return { space: () => (large ?? small).subarray(begun), came }
}
