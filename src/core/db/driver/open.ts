/** Opens postgres.js as all connections need it. It sends nothing before the first statement. */
import postgres from 'postgres'
import { addArrayTypes } from './array-types.js'
import { closedWithClient } from './ended-client.js'
import type { PageMemory } from './page-memory.js'
import { readingSocket } from './socket.js'
import type { MovingTarget } from './target.js'

export const OWN_NAME = 'frames'

/** sql/session/settings.sql has the same settings. The start of a session carries these, without a round trip. */
export const SESSION_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off', TimeZone: 'UTC' }

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
