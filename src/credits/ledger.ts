/**
 * The ledger: every change of an account is an entry, made in one transaction with it. The account's row is locked first, and
 * no transaction touches two organisations, so that nothing can deadlock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isLost, type Database } from '../db/connect.js'
import type { Writes } from '../db/writes.js'

/** As many as a JSON number holds exactly. */
const MOST = Number.MAX_SAFE_INTEGER
/** How long to wait before each further try where it is not known whether the database took the last. */
const TRIES_MS = [50, 200, 500, 1000, 2000, 4000]

export type Caller = { orgId: string; keyId: string }
export type Priced = { layerId: string; price: number }

/** Adds credits; asked again under the same request id, it adds nothing. Answers with the balance. */
export async function topUp(db: Database, orgId: string, credits: number, requestId: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new Error('Credits are whole, and at least 1 is added.')
  return await settled(() =>
    db.change('src/credits/ledger.ts: topUp', async (inside) => {
      const before = await lockedBalance(inside, orgId)
      if (before + credits > MOST) throw new Error(`The account holds ${before} credits; ${MOST} are the most it may.`)
      const entry = await inside
        .insertInto('credit_entry')
        .values({ org_id: orgId, request_id: requestId, kind: 'top_up', credits: String(credits) })
        .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing())
        .returning('entry_id')
        .executeTakeFirst()
      if (!entry) return before
      await setBalance(inside, orgId, before + credits)
      return before + credits
    }),
  )
}

/**
 * Charges for the datasets that contributed to a call, in the order given, those that the balance covers. Answers with their
 * ids. A try whose end is not known is made again under the same request id, which cannot charge twice.
 */
export const charge = (
  db: Database,
  caller: Caller,
  requestId: string,
  datasets: readonly Priced[],
): Promise<string[]> =>
  settled(() =>
    db.change('src/credits/ledger.ts: charge', (inside) => chargeInside(inside, caller, requestId, datasets)),
  )

async function chargeInside(
  inside: Writes,
  { orgId, keyId }: Caller,
  requestId: string,
  datasets: readonly Priced[],
): Promise<string[]> {
  let balance = await lockedBalance(inside, orgId)
  const before = await charged(inside, orgId, requestId)
  if (before.length > 0) return before.map(({ ref }) => ref)
  const covered: Priced[] = []
  for (const dataset of datasets) {
    if (dataset.price > balance) continue
    balance -= dataset.price
    covered.push(dataset)
  }
  if (covered.length === 0) return []
  await inside
    .insertInto('credit_entry')
    .values(
      covered.map(({ layerId, price }) => ({
        org_id: orgId,
        key_id: keyId,
        request_id: requestId,
        kind: 'dataset' as const,
        ref: layerId,
        credits: String(-price),
      })),
    )
    .execute()
  await setBalance(inside, orgId, balance)
  return covered.map(({ layerId }) => layerId)
}

/** Gives back what a call was charged that ended in an error; nothing where nothing was charged. */
export const refund = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  settled(() =>
    db.change('src/credits/ledger.ts: refund', async (inside) => {
      let balance = await lockedBalance(inside, orgId)
      for (const { ref, credits } of await charged(inside, orgId, requestId)) {
        const entry = await inside
          .insertInto('credit_entry')
          .values({
            org_id: orgId,
            key_id: keyId,
            request_id: requestId,
            kind: 'refund',
            ref,
            credits: String(-Number(credits)),
          })
          .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing())
          .returning('entry_id')
          .executeTakeFirst()
        if (entry) balance -= Number(credits)
      }
      await setBalance(inside, orgId, balance)
    }),
  )

/** Locks the account first, as every change does. */
export async function lockedBalance(inside: Writes, orgId: string): Promise<number> {
  const { balance } = await inside
    .selectFrom('account')
    .select('balance')
    .where('org_id', '=', orgId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return Number(balance)
}

const charged = (inside: Writes, orgId: string, requestId: string) =>
  inside
    .selectFrom('credit_entry')
    .select(['ref', 'credits'])
    .where('org_id', '=', orgId)
    .where('request_id', '=', requestId)
    .where('kind', '=', 'dataset')
    .orderBy('entry_id')
    .execute()

export const setBalance = (inside: Writes, orgId: string, balance: number) =>
  inside
    .updateTable('account')
    .set({ balance: String(balance) })
    .where('org_id', '=', orgId)
    .execute()

/** Whatever the connection was lost before, at or after: trying again under one request id gives one outcome. */
export async function settled<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (const pause of TRIES_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLost(error)) throw error
      await sleep(pause)
    }
  }
  return await attempt()
}
