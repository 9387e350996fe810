/**
 * Says at the start what a pooler between the service and PostgreSQL takes away. PgBouncer in transaction mode gives
 * each transaction any of its sessions: prepared statements of versions before 1.21 are then in another session, and a
 * call may get the rows of another. A lock of a session is lost, or stays behind in the pooler.
 */
import { builder } from './builder.js'
import type { Database, MovingTarget } from './database.js'
import { LOCK_TIMEOUT_MS } from './driver/pool.js'
import { SESSION_SETTINGS } from './driver/open.js'
import { statement } from './statement.js'

const backend = statement<[round: number], { pid: number }>('session/backend')
const settingsLost = statement<[names: string[], values: string[]], { name: string; value: string }>(
  'session/settings_lost',
)

/** `connect` of connect.ts, which itself imports this file. */
type Open = (
  target: MovingTarget,
  options: { connections: number; transactions: number; deadlineMs: number },
) => Database

const POOLER_ROUNDS = 5
const ASK_MS = 3000

/** `name` is the setting that has the URL, for the message. Returns undefined where nothing is missing. */
export async function whatPoolerLacks(target: MovingTarget, name: string, open: Open): Promise<string | undefined> {
  if (typeof target === 'object') return undefined
  return await withTwoConnections(target, name, open, async (one, other) => {
    const lost = await lostSettings(one)
    if (lost.length > 0) return settingsMessage(name, roleOf(target), lost)
    if ((await sharesSessions(one, other)) && !(await keepsPrepared(one, other))) return preparedMessage(name)
    return undefined
  })
}

export const SHARED_SESSIONS =
  'A pooler gives each transaction another session, and a lock of a whole session is needed here. Take the address of PostgreSQL itself, or of a pooler in session mode.'

/** Call it before taking a lock that lasts as long as its session. */
export async function refuseSharedSessions(target: MovingTarget, open: Open): Promise<void> {
  if (typeof target === 'object') return
  const refused = await withTwoConnections(target, 'DATABASE_URL', open, async (one, other) =>
    (await sharesSessions(one, other)) ? SHARED_SESSIONS : undefined,
  )
  if (refused !== undefined) throw new Error(refused)
}

/** PgBouncer may refuse the settings with which these connections open: the answer is then what to change there. */
async function withTwoConnections(
  target: MovingTarget,
  name: string,
  open: Open,
  work: (one: Database, other: Database) => Promise<string | undefined>,
): Promise<string | undefined> {
  const [one, other] = [1, 2].map(() => open(target, { connections: 1, transactions: 1, deadlineMs: ASK_MS })) as [
    Database,
    Database,
  ]
  try {
    return await work(one, other)
  } catch (error) {
    const { message } = error as Error
    const [, parameter] = /^unsupported startup parameter\b.*?: ?(\w+)/.exec(message) ?? []
    if (parameter === undefined) throw error
    return refusedMessage(name, message, parameter)
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

/** Two open connections have two sessions, and each keeps its own, unless a pooler deals them out. */
async function sharesSessions(one: Database, other: Database): Promise<boolean> {
  const seen: number[] = []
  for (let round = 0; round < POOLER_ROUNDS; round += 1)
    for (const db of [one, other]) seen.push((await backend(db, round))[0]?.pid ?? 0)
  return new Set(seen.filter((_, index) => index % 2 === 0)).size > 1 || new Set(seen).size === 1
}

/** Holds the session in which a statement was prepared, and runs the statement again: it gets another session. */
async function keepsPrepared(one: Database, other: Database): Promise<boolean> {
  for (let round = 0; round < POOLER_ROUNDS; round += 1) {
    const first = (await backend(one, round))[0]?.pid
    const again = await other.transaction(async (run) => {
      const held = (await backend({ rows: run }, round))[0]?.pid
      return held === first
        ? await backend(one, round).then(
            ([row]) => row?.pid,
            () => 'failed' as const,
          )
        : undefined
    })
    if (again === 'failed') return false
    if (again !== undefined && again !== first) return true
  }
  return false
}

async function lostSettings(db: Database): Promise<{ name: string; value: string }[]> {
  const wanted = Object.entries(SESSION_SETTINGS)
  const lost = await settingsLost(
    db,
    wanted.map(([name]) => name),
    wanted.map(([, value]) => value),
  )
  // Transactions have connections of their own, with one setting more.
  const [row] = await db.change('src/core/db/pooler.ts: lostSettings', (run) =>
    run(builder.selectNoFrom((make) => make.fn<string>('current_setting', [make.val('lock_timeout')]).as('timeout'))),
  )
  return row?.timeout === LOCK_TIMEOUT ? lost : [...lost, { name: 'lock_timeout', value: LOCK_TIMEOUT }]
}

const LOCK_TIMEOUT = `${LOCK_TIMEOUT_MS / 1000}s`

const roleOf = (target: string | (() => string)): string =>
  new URL(typeof target === 'function' ? target() : target).username || 'frames_service'

/** PgBouncer knows TimeZone, and none of these. Commands alone send statement_timeout. */
const UNKNOWN_TO_IT: readonly string[] = ['plan_cache_mode', 'jit', 'lock_timeout', 'statement_timeout']

const refusedMessage = (name: string, message: string, parameter: string): string =>
  UNKNOWN_TO_IT.includes(parameter)
    ? `PgBouncer refuses the connections of ${name} (${message}). Set ignore_startup_parameters = ${UNKNOWN_TO_IT.join()} in pgbouncer.ini.`
    : `PgBouncer refuses the connections of ${name} (${message}). Take ${parameter} out of the URL; prepare=false is accepted there.`

function settingsMessage(name: string, role: string, lost: readonly { name: string; value: string }[]): string {
  const lines = lost.map((setting) => `alter role ${role} set ${setting.name} = '${setting.value}';`)
  return `A pooler takes settings away from the sessions of ${name}. Give them to its role, then have the pooler reconnect (RECONNECT in PgBouncer): ${lines.join(' ')}`
}

const preparedMessage = (name: string): string =>
  `A pooler gives each transaction of ${name} another session, and loses prepared statements: answers would be mixed up. Add prepare=false to ${name}, or use session mode, or PgBouncer 1.21 or later with max_prepared_statements above 0.`
