/**
 * Fault: Node does not tell how much of an answer a client has taken. `writableLength` counts a write until its last
 *   byte is with the kernel, and the kernel holds megabytes more. Steps: answer 24 MiB to a client that reads 160 kB
 *   a second.
 * Link: nodejs/node#34088, nodejs/help#734
 * Gain: a client that reads slowly and steadily is not mistaken for one that has stalled, and gets all of its answer.
 * Delete it when: net.Socket tells how many bytes its client has acknowledged.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = { fd?: number; writeQueueSize?: number }

const handleOf = (socket: Socket) => (socket as Socket & { _handle?: Handle | null })._handle

/** Bytes that Node has not given to the kernel yet. Without a handle, a write counts as untouched until its end. */
export const bytesInNode = (socket: Socket): number => handleOf(socket)?.writeQueueSize ?? socket.writableLength

const FILES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/** Matches slot, two addresses, state, `sent:received` in hexadecimal, timer, retransmits, user, timeout and inode. */
const SOCKET_LINE = /^\s*\d+: \S+ \S+ \S+ ([0-9A-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm

/**
 * Bytes that the kernel holds and the client has not acknowledged, by the inode of the socket. Empty except on Linux.
 */
export function kernelQueues(): Map<string, number> {
  const queues = new Map<string, number>()
  for (const file of FILES) {
    for (const [, sent = '', inode = ''] of procText(file).matchAll(SOCKET_LINE)) {
      queues.set(inode, Number.parseInt(sent, 16))
    }
  }
  return queues
}

export function bytesInKernel(socket: Socket, queues: ReadonlyMap<string, number>): number | undefined {
  const fd = handleOf(socket)?.fd
  if (queues.size === 0 || fd === undefined) return undefined
  try {
    const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`)) ?? []
    return queues.get(inode)
  } catch {
    return undefined
  }
}

function procText(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/**
 * Fault: closeIdleConnections, which `close` calls too, ends connections whose answers are not sent yet: to Node, a
 *   connection is idle once its response is `finished`, that is written. Steps: answer 24 MiB to a slow client, call
 *   server.close().
 * Link: nodejs/node#43890
 * Gain: a client that reads slowly gets the rest of its answer when the process stops, and loses its connection
 *   otherwise.
 * Delete it when: Node asks for `writableFinished` instead of `finished`.
 */

/** Calls `close` while the responses that are not sent yet pass for unfinished. */
export function sparingUnsent(unsent: readonly ServerResponse[], close: () => void): void {
  for (const res of unsent) res.finished = false
  close()
  for (const res of unsent) res.finished = true
}
