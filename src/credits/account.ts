/**
 * Changes accounts. A transaction locks the row of its account first and touches no other organisation, so that no two
 * transactions can deadlock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { builder, onlyRow, type RunQuery } from '../db/builder.js'
import { isLost, type ChangeBounds, type Database } from '../db/connect.js'
import { msLeft, type Deadline } from '../deadline.js'

/** The pauses before each retry of a transaction whose outcome is unknown. */
const PAUSES_MS = [50, 200, 500, 1000, 2000, 4000]

/** `place` names the function that changes the account, such as "src/credits/ledger.ts: charge". */
export type AccountChange = { place: string; orgId: string; deadline?: Deadline | undefined }

/** Locks the account, then runs `work` with its balance, then commits. */
export const changeAccount = <Answer>(
  db: Database,
  { place, orgId, deadline }: AccountChange,
  work: (run: RunQuery, balance: number) => Promise<Answer>,
): Promise<Answer> =>
  db.change(place, async (run) => await work(run, await lockAccount(run, orgId)), oneAtATime(orgId, deadline))

/**
 * Lets the changes of one account run one after the other. Otherwise each would wait for the same lock, and hold a
 * connection that calls of other organisations need.
 */
export const oneAtATime = (orgId: string, deadline?: Deadline): ChangeBounds => ({ row: orgId, deadline })

async function lockAccount(run: RunQuery, orgId: string): Promise<number> {
  const { balance } = onlyRow(
    await run(builder.selectFrom('account').select('balance').where('org_id', '=', orgId).forNoKeyUpdate()),
  )
  return Number(balance)
}

/**
 * Retries a transaction whose connection was lost before, during or after its COMMIT. The transaction runs under one
 * request id, and so has one outcome. No retry begins after the deadline.
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
