/**
 * Fault: closeIdleConnections, which `close` calls too, ends connections whose answers are not sent yet: to Node, a
 *   connection is idle once its response is `finished`, that is written. Steps: answer 24 MiB to a slow client, call
 *   server.close().
 * Link: nodejs/node#43890
 * Gain: a client that reads slowly gets the rest of its answer when the process stops, and loses its connection
 *   otherwise.
 * Delete it when: Node asks for `writableFinished` instead of `finished`.
 */
import type { ServerResponse } from 'node:http'

/** Calls `close` while the responses that are not sent yet pass for unfinished. */
export function sparingUnsent(unsent: readonly ServerResponse[], close: () => void): void {
  for (const res of unsent) res.finished = false
  close()
  for (const res of unsent) res.finished = true
}
