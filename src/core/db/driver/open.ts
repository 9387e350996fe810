/** Opens postgres.js as all connections need it. It sends nothing before the first statement. */
import type net from 'node:net'
import postgres from 'postgres'
import { addArrayTypes } from './array-types.js'
import type { PageMemory } from './page-memory.js'
import { readingSocket } from './socket.js'
import type { MovingTarget } from './target.js'

export const OWN_NAME = 'frames'

/** sql/session/settings.sql has the same settings. The start of a session carries these, without a round trip. */
const SESSION_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off', TimeZone: 'UTC' }

type Opening = {
  memory: PageMemory
  /** These settings join those of sql/session/settings.sql. */
  session?: Record<string, string>
  onclose?: () => void
  /** Several statements may be under way on the connection. */
  isShared?: boolean
  /** How long the client still answers statements after its end. */
  lateMs?: number
}

/** Opens a client of one connection. The client opens another if the connection is lost. */
export function open(
  target: MovingTarget,
  { memory, session = {}, onclose = () => {}, isShared = false, lateMs }: Opening,
): postgres.Sql {
  const options = {
    max: 1,
    onclose,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: OWN_NAME,
      ...SESSION_SETTINGS,
      ...session,
    },
  }
  const server = typeof target === 'function' ? target() : target
  // The embedded database greets nobody while it runs a long statement. The deadline of a call bounds its wait.
  const connect_timeout = typeof server === 'string' ? 5 : 60
  const sql =
    typeof server === 'string'
      ? postgres(server, { ...options, connect_timeout, ...(isShared && oneAtATime(server)) })
      : postgres({ ...server, ...options, connect_timeout })
  addArrayTypes(sql.options)
  const {
    ssl,
    path,
    host: [host, ...others],
    port: [port = 5432],
  } = sql.options
  // TLS has a socket of its own, and postgres.js alone knows which of several hosts is next.
  if (!ssl && host !== undefined && others.length === 0) {
    const newSocket = () => readingSocket(path ? { path } : { host, port }, memory)
    Object.assign(sql.options, { socket: closedWithClient(sql, newSocket, lateMs) })
  }
  return sql
}

/**
 * Fault: postgres.js 3.4.9 waits for the description of an unnamed statement before it sends the rest. PgBouncer 1.18
 *   in transaction mode takes the session away in between, if another statement was under way on the connection. Steps:
 *   20 calls at once with `prepare=false`. Some wait for their deadline.
 * Link: pgbouncer/pgbouncer src/server.c, expect_rfq_count counts no Flush; not reported.
 * Gain: no statement is lost. Each connection has one statement under way.
 * Delete it when 20 calls at once are answered by way of the oldest PgBouncer that docs/deploy.md allows.
 */
const oneAtATime = (url: string) => (/[?&]prepare=(false|disable)\b/.test(url) ? { max_pipeline: 0 } : {})

/**
 * Fault: postgres.js 3.4.9 connects after end(). Steps: let five connections of a client fail, so that it waits a second
 *   or more before the next; send a statement; call end({ timeout: 1 }). The connection opens all the same, and stays
 *   for up to an hour.
 * Link: porsager/postgres src/connection.js, connect() forgets `terminated`; not reported.
 * Gain: a minute after a failover a process holds no connection that nobody uses, and a command ends.
 * Delete it when connect() of postgres.js opens nothing after terminate().
 */

/** Statements that waited when their client ended may still be answered in this time. */
const CLIENT_LATE_MS = 5000

/** Makes the sockets of a client. Those that postgres.js opens while the client ends, or after it, are closed too. */
function closedWithClient(sql: postgres.Sql, newSocket: () => net.Socket, lateMs = CLIENT_LATE_MS): () => net.Socket {
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
