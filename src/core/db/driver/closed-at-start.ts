/**
 * Fault: postgres.js 3.4.9 connects again and again, and fails no statement, where the other side closes each new
 *   connection without a word. Steps: a statement by way of HAProxy while no server is there. It waits for ever; it
 *   should fail as lost.
 * Link: porsager/postgres src/connection.js, closed() returns reconnect() where there is `initial`; not reported.
 * Gain: a read by way of HAProxy goes to a replica after 2.5 seconds, not after its deadline of 10.
 * Delete it when closed() of postgres.js rejects the statement that opened the connection.
 */
import type net from 'node:net'

/** Makes an error of a connection that ends before the server has sent anything. */
export function failIfClosedAtStart(socket: net.Socket): void {
  socket.once('end', () => {
    if (socket.bytesRead > 0) return
    socket.destroy(Object.assign(new Error('The server closed the connection at once.'), { code: 'ECONNRESET' }))
  })
}
