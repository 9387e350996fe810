/** Opens postgres.js as all connections need it. It sends nothing before the first statement. */
import postgres from 'postgres'
import type { Target } from '../database.js'
import { addArrayTypes } from './array-types.js'
import type { PageMemory } from './page-memory.js'
import { readingSocket } from './socket.js'

export const OWN_NAME = 'frames'

type Opening = {
  memory: PageMemory
  /** These settings join those of sql/session/settings.sql. */
  session?: Record<string, string>
  onclose?: () => void
}

/** Opens a client of one connection. The client opens another if the connection is lost. */
export function open(target: Target, { memory, session = {}, onclose = () => {} }: Opening): postgres.Sql {
  const options = {
    max: 1,
    onclose,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: OWN_NAME,
      // These three are those of sql/session/settings.sql: sent with the start, they cost no round trip.
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
      TimeZone: 'UTC',
      ...session,
    },
  }
  const sql = typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options })
  addArrayTypes(sql.options)
  const {
    ssl,
    path,
    host: [host, ...others],
    port: [port = 5432],
  } = sql.options
  // TLS has a socket of its own, and postgres.js alone knows which of several hosts is next.
  if (!ssl && host !== undefined && others.length === 0)
    Object.assign(sql.options, { socket: () => readingSocket(path ? { path } : { host, port }, memory) })
  return sql
}
