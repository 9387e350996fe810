/**
 * Fault: Node does not tell how much of an answer a client has taken: `writableLength` counts a write until its last
 *   byte is with the kernel. Steps: answer 24 MiB to a client that reads 160 kB a second.
 * Link: nodejs/node#34088, nodejs/help#734
 * Gain: where too many bytes wait, the server hangs up on clients that take nothing, and on nobody who reads.
 * Delete it when: net.Socket tells how many bytes its client has acknowledged.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes that Node has not given to the kernel yet. Without a handle, a write counts as untouched until its end. */
export const bytesInNode = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number =>
  socket._handle?.writeQueueSize ?? socket.writableLength

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
