/** The ledger. Every change of a balance is an entry, and a trigger of the database adds the entry to the balance. */
import { sql } from 'kysely'
import { counted } from '../counted.js'
import { builder, type Database, onlyRow } from '../db/index.js'
import type { Deadline } from '../deadline.js'
import { changeAccount, retryIfLost } from './account.js'

/** The largest whole number that JSON holds exactly. */
const BALANCE_MAX = Number.MAX_SAFE_INTEGER

/** A call waits for its charge until its deadline. Nobody waits for a refund, which has a deadline of its own. */
export type Caller = { orgId: string; keyId: string; deadline?: Deadline | undefined }
export type Priced = { layerId: string; price: number }

/** Adds credits, as the owner, and returns the balance. A second top-up under the same request id adds nothing. */
export async function topUp(db: Database, orgId: string, credits: number, requestId: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new Error('Credits are whole, and at least 1 is added.')
  return await retryIfLost(() =>
    db.change('src/core/credits/ledger.ts: topUp', async (run) => {
      const account = builder.selectFrom('account').select('balance').where('org_id', '=', orgId).forNoKeyUpdate()
      const balance = Number(onlyRow(await run(account)).balance)
      if (balance + credits > BALANCE_MAX) {
        throw new Error(`The account holds ${counted(balance, 'credit')}; ${BALANCE_MAX} are the most it may.`)
      }
      const [added] = await run(
        builder
          .insertInto('credit_entry')
          .values({ org_id: orgId, request_id: requestId, kind: 'top_up', credits: String(credits) })
          .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing())
          .returning('entry_id'),
      )
      return added ? balance + credits : balance
    }),
  )
}

/**
 * Charges a call for the datasets that the balance covers, in the order given, and returns their ids. A request id is
 * charged once: a retry returns the ids of the first charge. Undefined in a dry run, which charges nothing.
 */
export const charge = (
  db: Database,
  { orgId, keyId, deadline }: Caller,
  requestId: string,
  datasets: readonly Priced[],
): Promise<string[] | undefined> =>
  retryIfLost(async () => {
    const [layers, prices] = [datasets.map(({ layerId }) => layerId), datasets.map(({ price }) => price)]
    return await changeAccount(
      db,
      'src/core/credits/ledger.ts: charge',
      { orgId, deadline },
      sql<string[]>`call_charge(${orgId}, ${keyId}, ${requestId}, ${layers}, ${prices})`,
    )
  }, deadline)

/**
 * Charges a call that is a page of a walk as `charge` does. Returns null where the key has paid for the walk within the
 * last hour.
 */
export const chargeWalk = (
  db: Database,
  { orgId, keyId, deadline }: Caller,
  { requestId, walk }: { requestId: string; walk: string },
  { layerId, price }: Priced,
): Promise<string[] | null> =>
  retryIfLost(async () => {
    const charged = await changeAccount(
      db,
      'src/core/credits/ledger.ts: chargeWalk',
      { orgId, deadline },
      sql<string[] | null>`walk_charge(${orgId}, ${keyId}, ${requestId}, ${walk}, ${[layerId]}, ${[price]})`,
    )
    return charged ?? null
  }, deadline)

/**
 * Marks a call as failed and refunds its charges for datasets. The database refuses a charge that commits after the
 * mark.
 */
export const voidCharge = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  changeAccount(
    db,
    'src/core/credits/ledger.ts: voidCharge',
    { orgId },
    sql<void>`call_void(${orgId}, ${keyId}, ${requestId})`,
  )
