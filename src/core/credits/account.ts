/**
 * Changes accounts by the functions of the database in sql/functions/. Each locks the row of its account first and
 * touches no other organisation, so that no two transactions can deadlock. A call of a function takes one round trip.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { builder, type Database, isLost } from '../db/index.js'
import { type Deadline, msLeft } from '../deadline.js'

/** The pauses before each retry of a change whose outcome is unknown. */
const PAUSES_MS = [50, 200, 500, 1000, 2000, 4000]

/**
 * Calls a function of the database and returns its answer; undefined in a dry run, which calls none. `caller` is such as
 * "src/core/credits/ledger.ts: charge". The changes of one account run one after the other: otherwise each would wait
 * for the same lock, and hold a connection that calls of other organisations need.
 */
export async function changeAccount<Answer>(
  db: Database,
  caller: string,
  { orgId, deadline }: { orgId: string; deadline?: Deadline | undefined },
  call: RawBuilder<Answer>,
): Promise<Answer | undefined> {
  const query = sql<{ answer: Answer }>`select ${call} as answer`.compile(builder)
  const [row] = await db.write(caller, { compile: () => query }, { row: orgId, deadline })
  return row?.answer
}

/**
 * Retries a change whose connection was lost before, during or after its commit. The change runs under one request id,
 * and so has one outcome. No retry begins after the deadline.
 */
export async function retryIfLost<Answer>(attempt: () => Promise<Answer>, deadline?: Deadline): Promise<Answer> {
  for (const pause of PAUSES_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLost(error) || (deadline && msLeft(deadline) < pause)) throw error
      await sleep(pause)
    }
  }
  return await attempt()
}
