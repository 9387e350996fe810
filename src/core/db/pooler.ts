/**
 * PgBouncer in transaction mode gives each transaction any of its sessions: a lock of a session is lost, or stays behind
 * in the pooler.
 */
import type { Database, MovingTarget } from './database.js'
import { statement } from './statement.js'

const backend = statement<[round: number], { pid: number }>('session/backend')

/** `connect` of connect.ts, which itself imports this file. */
type Open = (
  target: MovingTarget,
  options: { connections: number; transactions: number; deadlineMs: number },
) => Database

const ROUNDS = 5
const ASK_MS = 3000

export const SHARED_SESSIONS =
  'A pooler gives each transaction another session, and a lock of a whole session is needed here. Take the address of PostgreSQL itself, or of a pooler in session mode.'

/** Call it before taking a lock that lasts as long as its session. */
export async function refuseSharedSessions(target: MovingTarget, open: Open): Promise<void> {
  if (typeof target === 'object') return
  const both = [1, 2].map(() => open(target, { connections: 1, transactions: 1, deadlineMs: ASK_MS }))
  // Two open connections have two sessions, and each keeps its own, unless a pooler deals them out.
  const seen: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const db of both) seen.push((await backend(db, round))[0]?.pid ?? 0)
  } finally {
    await Promise.all(both.map((db) => db.close()))
  }
  const ofFirst = seen.filter((_, index) => index % 2 === 0)
  if (new Set(ofFirst).size > 1 || new Set(seen).size === 1) throw new Error(SHARED_SESSIONS)
}
