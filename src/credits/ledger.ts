/**
 * The ledger: every change of an account is an entry, and the database adds each entry to the balance. The account's row is
 * locked first, and no transaction touches two organisations, so that nothing can deadlock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isLost, type ChangeBounds, type Database } from '../db/connect.js'
import { build, onlyRow, type RunQuery } from '../db/build.js'
import { msLeft, type Deadline } from '../deadline.js'

/** As many as a JSON number holds exactly. */
const MOST = Number.MAX_SAFE_INTEGER
/** How long to wait before each further try where it is not known whether the database took the last. */
const TRIES_MS = [50, 200, 500, 1000, 2000, 4000]

/** The call waits until its deadline for what it is charged; a refund, which nobody waits for, has a deadline of its own. */
export type Caller = { orgId: string; keyId: string; deadline?: Deadline | undefined }
export type Priced = { layerId: string; price: number }

/** Adds credits; asked again under the same request id, it adds nothing. Answers with the balance. */
export async function topUp(db: Database, orgId: string, credits: number, requestId: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new Error('Credits are whole, and at least 1 is added.')
  return await settled(() =>
    db.change(
      'src/credits/ledger.ts: topUp',
      async (run) => {
        const before = await lockedBalance(run, orgId)
        if (before + credits > MOST)
          throw new Error(`The account holds ${before} credits; ${MOST} are the most it may.`)
        const [entry] = await run(
          build
            .insertInto('credit_entry')
            .values({ org_id: orgId, request_id: requestId, kind: 'top_up', credits: String(credits) })
            .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing())
            .returning('entry_id'),
        )
        return entry ? before + credits : before
      },
      ofAccount(orgId),
    ),
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
  settled(
    () =>
      db.change(
        'src/credits/ledger.ts: charge',
        (run) => chargeInside(run, caller, requestId, datasets),
        ofAccount(caller.orgId, caller.deadline),
      ),
    caller.deadline,
  )

/** In the order given: one that is not covered does not keep a cheaper one after it from being covered. */
export function coveredBy<Each extends Priced>(balance: number, datasets: readonly Each[]): Each[] {
  let left = balance
  return datasets.filter(({ price }) => {
    if (price > left) return false
    left -= price
    return true
  })
}

async function chargeInside(
  run: RunQuery,
  { orgId, keyId }: Caller,
  requestId: string,
  datasets: readonly Priced[],
): Promise<string[]> {
  const balance = await lockedBalance(run, orgId)
  const before = await charged(run, orgId, requestId)
  if (before.length > 0) return before.map(({ ref }) => ref)
  const covered = coveredBy(balance, datasets)
  if (covered.length === 0) return []
  await run(
    build.insertInto('credit_entry').values(
      covered.map(({ layerId, price }) => ({
        org_id: orgId,
        key_id: keyId,
        request_id: requestId,
        kind: 'dataset' as const,
        ref: layerId,
        credits: String(-price),
      })),
    ),
  )
  return covered.map(({ layerId }) => layerId)
}

/**
 * Decides that a call failed: it is charged nothing. Gives back what it was charged for datasets; a charge that comes later
 * finds the decision and is refused by the database.
 */
export const voidCharge = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  db.change(
    'src/credits/ledger.ts: voidCharge',
    async (run) => {
      await lockedBalance(run, orgId)
      await run(
        build
          .insertInto('voided_call')
          .values({ org_id: orgId, request_id: requestId })
          .onConflict((conflict) => conflict.constraint('voided_call_pkey').doNothing()),
      )
      const given = await charged(run, orgId, requestId)
      if (given.length === 0) return
      await run(
        build
          .insertInto('credit_entry')
          .values(
            given.map(({ ref, credits }) => ({
              org_id: orgId,
              key_id: keyId,
              request_id: requestId,
              kind: 'refund' as const,
              ref,
              credits: String(-Number(credits)),
            })),
          )
          .onConflict((conflict) => conflict.constraint('credit_entry_once').doNothing()),
      )
    },
    ofAccount(orgId),
  )

/**
 * Changes of one account go one at a time: they would wait for one another's lock anyway, each with a connection that calls of
 * other organisations need.
 */
export const ofAccount = (orgId: string, deadline?: Deadline): ChangeBounds => ({ lane: orgId, deadline })

/** Locks the account first, as every change does. */
export async function lockedBalance(run: RunQuery, orgId: string): Promise<number> {
  const { balance } = onlyRow(
    await run(build.selectFrom('account').select('balance').where('org_id', '=', orgId).forNoKeyUpdate()),
  )
  return Number(balance)
}

const charged = (run: RunQuery, orgId: string, requestId: string) =>
  run(
    build
      .selectFrom('credit_entry')
      .select(['ref', 'credits'])
      .where('org_id', '=', orgId)
      .where('request_id', '=', requestId)
      .where('kind', '=', 'dataset')
      .orderBy('entry_id'),
  )

/**
 * Whatever the connection was lost before, at or after: trying again under one request id gives one outcome. No try begins after
 * the deadline.
 */
export async function settled<Answer>(attempt: () => Promise<Answer>, deadline?: Deadline): Promise<Answer> {
  for (const pause of TRIES_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLost(error) || (deadline && msLeft(deadline) < pause)) throw error
      await sleep(pause)
    }
  }
  return await attempt()
}
