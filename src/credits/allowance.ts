/**
 * Pays for worded answers: by the monthly allowance of the plan, then by credits, up to a ceiling a day. A hold stands
 * for an answer that is being worded. It is posted, released or voided, once. Days and months are UTC, by the clock of
 * the database.
 */
import { sql } from 'kysely'
import { builder, onlyRow, type RunQuery } from '../db/builder.js'
import type { Database } from '../db/connect.js'
import type { Deadline } from '../deadline.js'
import { changeAccount, oneAtATime, retryIfLost } from './account.js'
import type { Caller } from './ledger.js'

export const MONTHLY_ALLOWANCE: Record<string, number> = { trial: 100, pro: 2000, scale: 20_000 }
export const DAILY_CEILING = 1000
/** Longer than an answer may take to be worded. An older hold belongs to a process that ended. */
export const HOLD_SECONDS = 60

/** `worded_before`: a form of the web app that was put into words was sent again. */
export type Reservation = 'held' | 'no_allowance' | 'daily_ceiling' | 'worded_before'
export type CoveredBy = 'allowance' | 'credits'

const today = sql<Date>`(ledger_clock() at time zone 'UTC')::date`
const isThisMonth = sql<boolean>`day >= date_trunc('month', ledger_clock() at time zone 'UTC')::date`

/** Literal text: a generic plan uses the index of the open holds only if the condition has no parameter. */
const isOpen = sql<boolean>`not posted`

/** Opens a hold for one worded answer if the allowance or the credits cover it. */
export const openHold = (
  db: Database,
  { orgId, plan, deadline }: { orgId: string; plan: string; deadline?: Deadline | undefined },
  requestId: string,
): Promise<Reservation> =>
  retryIfLost(
    () =>
      changeAccount<Reservation>(
        db,
        { place: 'src/credits/allowance.ts: openHold', orgId, deadline },
        async (run, balance) => {
          await deleteExpiredHolds(run, orgId)
          const held = await run(
            builder.selectFrom('worded_hold').selectAll().where('org_id', '=', orgId).where(isOpen),
          )
          if (held.some((hold) => hold.request_id === requestId)) return 'held'
          const used = await usedBy(run, orgId)
          if (used.today + held.length >= DAILY_CEILING) return 'daily_ceiling'
          const byCredits = held.filter((hold) => hold.covered_by === 'credits').length
          const covered_by =
            used.thisMonth + held.length - byCredits < (MONTHLY_ALLOWANCE[plan] ?? 0) ? 'allowance' : 'credits'
          if (covered_by === 'credits' && balance - byCredits < 1) return 'no_allowance'
          const expires_at = sql<Date>`ledger_clock() + make_interval(secs => ${HOLD_SECONDS})`
          await run(
            builder
              .insertInto('worded_hold')
              .values({ request_id: requestId, org_id: orgId, day: today, covered_by, expires_at }),
          )
          return 'held'
        },
      ),
    deadline,
  ).catch((error: unknown) => {
    if (isWordedBefore(error)) return 'worded_before'
    throw error
  })

/** The row of a hold that was posted stays for a day. */
const isWordedBefore = (error: unknown) =>
  (error as { constraint_name?: string }).constraint_name === 'worded_hold_pkey'

const deleteExpiredHolds = (run: RunQuery, orgId: string) =>
  run(
    builder
      .deleteFrom('worded_hold')
      .where('org_id', '=', orgId)
      .where(isOpen)
      .where('expires_at', '<=', sql<Date>`ledger_clock()`),
  )

const usedBy = async (run: RunQuery, orgId: string): Promise<{ today: number; thisMonth: number }> =>
  onlyRow(
    await run(
      builder
        .selectFrom('worded_use')
        .select([
          sql<number>`coalesce(sum(by_allowance), 0)::int`.as('thisMonth'),
          sql<number>`coalesce(sum(by_allowance + by_credits) filter (where day = ${today}), 0)::int`.as('today'),
        ])
        .where('org_id', '=', orgId)
        .where(isThisMonth),
    ),
  )

/**
 * Counts the worded answer, once, and returns what covered it: undefined if the hold is gone, and the answer must then
 * go out without words. The transaction has a deadline of its own, since wording may have used up that of the call.
 */
export const postHold = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<CoveredBy | undefined> =>
  retryIfLost(() =>
    changeAccount(db, { place: 'src/credits/allowance.ts: postHold', orgId }, async (run) => {
      const [hold] = await run(
        builder
          .selectFrom('worded_hold')
          .select(['day', 'covered_by', 'posted'])
          .where('request_id', '=', requestId)
          .where('org_id', '=', orgId),
      )
      if (!hold || hold.posted) return hold?.covered_by
      await run(builder.updateTable('worded_hold').set({ posted: true }).where('request_id', '=', requestId))
      const byCredits = hold.covered_by === 'credits' ? 1 : 0
      await run(
        builder
          .insertInto('worded_use')
          .values({ org_id: orgId, day: hold.day, by_allowance: 1 - byCredits, by_credits: byCredits })
          .onConflict((conflict) =>
            conflict.constraint('worded_use_pkey').doUpdateSet({
              by_allowance: sql`worded_use.by_allowance + excluded.by_allowance`,
              by_credits: sql`worded_use.by_credits + excluded.by_credits`,
            }),
          ),
      )
      if (byCredits === 1) {
        await run(
          builder
            .insertInto('credit_entry')
            .values({ org_id: orgId, key_id: keyId, request_id: requestId, kind: 'worded', credits: '-1' }),
        )
      }
      return hold.covered_by
    }),
  )

/** Deletes the hold of an answer that got no words, unless it is posted. Reads no balance, so locks no account. */
export const releaseHold = (db: Database, orgId: string, requestId: string): Promise<void> =>
  retryIfLost(async () => {
    await db.change(
      'src/credits/allowance.ts: releaseHold',
      (run) =>
        run(
          builder
            .deleteFrom('worded_hold')
            .where('request_id', '=', requestId)
            .where('org_id', '=', orgId)
            .where('posted', '=', false),
        ),
      oneAtATime(orgId),
    )
  })

/**
 * Takes back the count and the credit of a worded answer that nobody received. The hold is deleted, so that a
 * transaction that posts it later finds none.
 */
export const voidHold = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  changeAccount(db, { place: 'src/credits/allowance.ts: voidHold', orgId }, async (run) => {
    const [hold] = await run(
      builder
        .deleteFrom('worded_hold')
        .where('request_id', '=', requestId)
        .where('org_id', '=', orgId)
        .returning(['day', 'covered_by', 'posted']),
    )
    if (!hold?.posted) return
    const byCredits = hold.covered_by === 'credits' ? 1 : 0
    await run(
      builder
        .updateTable('worded_use')
        .set({
          by_allowance: sql`by_allowance - ${1 - byCredits}::int`,
          by_credits: sql`by_credits - ${byCredits}::int`,
        })
        .where('org_id', '=', orgId)
        .where('day', '=', hold.day),
    )
    if (byCredits === 0) return
    await run(
      builder
        .insertInto('credit_entry')
        .values({ org_id: orgId, key_id: keyId, request_id: requestId, kind: 'refund', credits: '1' }),
    )
  })
