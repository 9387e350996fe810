/** The ledger: every change of an account is an entry, made in one transaction with it. */
import type { Writes } from '../db/writes.js'

/** As many as a JSON number holds exactly. */
const MOST = Number.MAX_SAFE_INTEGER

/** Adds credits; asked again under the same request id, it adds nothing. Answers with the balance. */
export async function topUp(writes: Writes, orgId: string, credits: number, requestId: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new Error('Credits are whole, and at least 1 is added.')
  return await writes.transaction().execute(async (inside) => {
    const account = await inside
      .selectFrom('account')
      .select('balance')
      .where('org_id', '=', orgId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const before = Number(account.balance)
    if (before + credits > MOST) throw new Error(`The account holds ${before} credits; ${MOST} are the most it may.`)
    const entry = await inside
      .insertInto('credit_entry')
      .values({ org_id: orgId, request_id: requestId, kind: 'top_up', credits: String(credits) })
      .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing())
      .returning('entry_id')
      .executeTakeFirst()
    if (!entry) return before
    const after = before + credits
    await inside
      .updateTable('account')
      .set({ balance: String(after) })
      .where('org_id', '=', orgId)
      .execute()
    return after
  })
}
