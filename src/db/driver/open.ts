/** Opens postgres.js as all connections here need it. Nothing is sent before the first statement. */
import postgres from 'postgres'
import type { Target } from '../database.js'
import { readingSocket } from './socket.js'
import { knowArrays } from './array-types.js'

export const OWN_NAME = 'frames'

type Opening = {
  /** Settings of PostgreSQL beside those that all sessions have. */
  session?: Record<string, string>
  onclose?: () => void
}

/** A client of one connection, which it opens anew where it was lost. */
export function open(target: Target, { session = {}, onclose = () => {} }: Opening = {}): postgres.Sql {
  const options = {
    max: 1,
    onclose,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: OWN_NAME,
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
      TimeZone: 'UTC',
      ...session,
    },
  }
  const sql = typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options })
  knowArrays(sql.options)
  const {
    ssl,
    path,
    host: [host, ...others],
    port: [port = 5432],
  } = sql.options
  // TLS reads in its own way, and of several hosts postgres.js knows which is next.
  if (!ssl && host !== undefined && others.length === 0)
    Object.assign(sql.options, { socket: () => readingSocket(path ? { path } : { host, port }) })
  return sql
}
