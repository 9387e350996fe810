/** The ledger. Every change of a balance is an entry, and a trigger of the database adds the entry to the balance. */
import { counted } from '../counted.js'
import { builder, type RunQuery } from '../db/builder.js'
import type { Database } from '../db/connect.js'
import type { Deadline } from '../deadline.js'
import { changeAccount, retryIfLost } from './account.js'

/** The largest whole number that JSON holds exactly. */
const BALANCE_MAX = Number.MAX_SAFE_INTEGER

/** A call waits for its charge until its deadline. Nobody waits for a refund, which has a deadline of its own. */
export type Caller = { orgId: string; keyId: string; deadline?: Deadline | undefined }
export type Priced = { layerId: string; price: number }

/** Adds credits and returns the balance. A second top-up under the same request id adds nothing. */
export async function topUp(db: Database, orgId: string, credits: number, requestId: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new Error('Credits are whole, and at least 1 is added.')
  return await retryIfLost(() =>
    changeAccount(db, { place: 'src/credits/ledger.ts: topUp', orgId }, async (run, balance) => {
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
 * charged once: a retry returns the ids of the first charge.
 */
export const charge = (
  db: Database,
  { orgId, keyId, deadline }: Caller,
  requestId: string,
  datasets: readonly Priced[],
): Promise<string[]> =>
  retryIfLost(
    () =>
      changeAccount(db, { place: 'src/credits/ledger.ts: charge', orgId, deadline }, async (run, balance) => {
        const earlier = await chargesOfCall(run, orgId, requestId)
        if (earlier.some(({ kind }) => kind === 'refund'))
          throw new Error(`Call ${requestId} has failed and is charged nothing.`)
        if (earlier.length > 0) return earlier.map(({ ref }) => ref)
        const covered = coveredBy(balance, datasets)
        if (covered.length === 0) return []
        const entries = covered.map(({ layerId, price }) => ({
          org_id: orgId,
          key_id: keyId,
          request_id: requestId,
          kind: 'dataset' as const,
          ref: layerId,
          credits: String(-price),
        }))
        await run(builder.insertInto('credit_entry').values(entries))
        return covered.map(({ layerId }) => layerId)
      }),
    deadline,
  )

/** Keeps the datasets that the balance covers, in the order given. A cheap dataset may follow one that is too dear. */
export function coveredBy<Each extends Priced>(balance: number, datasets: readonly Each[]): Each[] {
  let left = balance
  return datasets.filter(({ price }) => {
    if (price > left) return false
    left -= price
    return true
  })
}

/**
 * Marks a call as failed and refunds its charges for datasets. The database refuses a charge that commits after the
 * mark.
 */
export const voidCharge = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  changeAccount(db, { place: 'src/credits/ledger.ts: voidCharge', orgId }, async (run) => {
    await run(
      builder
        .insertInto('voided_call')
        .values({ org_id: orgId, request_id: requestId })
        .onConflict((conflict) => conflict.constraint('voided_call_pkey').doNothing()),
    )
    const entries = await chargesOfCall(run, orgId, requestId)
    const charges = entries.filter(({ kind }) => kind === 'dataset')
    if (charges.length === 0) return
    const refunds = charges.map(({ ref, credits }) => ({
      org_id: orgId,
      key_id: keyId,
      request_id: requestId,
      kind: 'refund' as const,
      ref,
      credits: String(-Number(credits)),
    }))
    await run(
      builder
        .insertInto('credit_entry')
        .values(refunds)
        .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing()),
    )
  })

/** The charges of a call for datasets, and their refunds. The refund of a worded answer names no dataset. */
const chargesOfCall = (run: RunQuery, orgId: string, requestId: string) =>
  run(
    builder
      .selectFrom('credit_entry')
      .select(['kind', 'ref', 'credits'])
      .where('org_id', '=', orgId)
      .where('request_id', '=', requestId)
      .where('kind', 'in', ['dataset', 'refund'])
      .where('ref', '<>', '')
      .orderBy('entry_id'),
  )
