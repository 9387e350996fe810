/**
 * Fault: postgres.js 3.4.9 connects after end(). Steps: let five connections of a client fail, so that it waits a second
 *   or more before the next; send a statement; call end({ timeout: 1 }). The connection opens all the same, and stays
 *   for up to an hour.
 * Link: porsager/postgres src/connection.js, connect() forgets `terminated`; not reported.
 * Gain: a minute after a failover a process holds no connection that nobody uses, and a command ends.
 * Delete it when connect() of postgres.js opens nothing after terminate().
 */
import type net from 'node:net'
import type postgres from 'postgres'

/** Statements that waited when their client ended may still be answered in this time. */
const CLIENT_LATE_MS = 5000

/** Closes what the client opens during its end() or later. Returns the sockets that the client is to use. */
export function closedWithClient(
  sql: postgres.Sql,
  newSocket: () => net.Socket,
  lateMs = CLIENT_LATE_MS,
): () => net.Socket {
  const sockets = new Set<net.Socket>()
  let isEnded = false
  const end = sql.end.bind(sql)
  sql.end = async (options) => {
    await end(options)
    isEnded = true
    for (const socket of sockets) closeLater(socket, lateMs)
  }
  return () => {
    const socket = newSocket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (isEnded) closeLater(socket, lateMs)
    return socket
  }
}

function closeLater(socket: net.Socket, lateMs: number): void {
  // Without an error, postgres.js would connect again for a statement that waits.
  const ended = Object.assign(new Error('The client has ended.'), { code: 'CONNECTION_DESTROYED' })
  const timer = setTimeout(() => socket.destroy(ended), lateMs).unref()
  socket.once('close', () => clearTimeout(timer))
}
