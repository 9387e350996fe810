/** How many connections one process of the service opens, by pool: docs/deploy.md and the doctor say the sums. */

/** Reads share `connections`; each transaction has one of the others to itself. */
export const CALLS_POOL = { connections: 6, transactions: 4 }
/** The web app, as frames_console. People click: few connections do, and calls of the API keep theirs. */
export const CONSOLE_POOL = { connections: 2, transactions: 2 }
/** Dry runs and plans of the web app, as frames_service. Two at once: those of other pages wait. */
export const INSPECTION_POOL = { connections: 2, transactions: 1 }
/** Health and the watch of a server ask on one connection each. */
export const PROBE_POOL = { connections: 1 }
/** The page Health runs the doctor on these, of each of its two roles: a check may hold a lock on another one. */
const CHECK_UP = 2

const all = ({ connections, transactions }: typeof CALLS_POOL) => connections + transactions

/** A replica answers every read of the calls, and of the pages while the primary is away. */
export const REPLICA_CONNECTIONS = all(CALLS_POOL)

const api = all(CALLS_POOL) + 2 * PROBE_POOL.connections
/** Inspection reads in transactions of the background, which has as many connections as reads do. */
const asService = api + INSPECTION_POOL.connections + CHECK_UP
const asConsole = all(CONSOLE_POOL) + CHECK_UP

/** The most that one process holds to the primary: without the web app; with it, in all and by role. */
export const PRIMARY_CONNECTIONS = { api, withApp: asService + asConsole, asService, asConsole }
/** The most that one process holds to each replica. The web app reads there within AUTHORITY_GRACE only. */
export const REPLICA_MOST = {
  api: REPLICA_CONNECTIONS + PROBE_POOL.connections,
  withApp: REPLICA_CONNECTIONS + PROBE_POOL.connections + CONSOLE_POOL.connections,
}
