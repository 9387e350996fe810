/**
 * Worded answers: covered by the monthly allowance of the plan, then by credits, and never more than so many a day. A place is held
 * while an answer is worded, and posted or given back after. Days and months are UTC, by the clock of the database.
 */
import { sql } from 'kysely'
import type { Database } from '../db/connect.js'
import { build, onlyRow, type RunQuery } from '../db/build.js'
import type { Deadline } from '../deadline.js'
import { lockedBalance, ofAccount, settled, type Caller } from './ledger.js'

const MONTHLY: Record<string, number> = { trial: 100, pro: 2000, scale: 20_000 }
const DAILY = 1000
/** Longer than an answer may take to be worded: what is held longer belongs to a process that is gone. */
const HOLD_SECONDS = 60

export type Reservation = 'held' | 'no_allowance' | 'daily_ceiling'

const today = sql<Date>`(ledger_clock() at time zone 'UTC')::date`
const ofThisMonth = sql<boolean>`day >= date_trunc('month', ledger_clock() at time zone 'UTC')::date`

/** Written out: a generic plan uses the index of the open holds only where the condition has no parameter. */
const isOpen = sql<boolean>`not posted`

/** Holds a place for one worded answer, if there is one. */
export const reserve = (
  db: Database,
  { orgId, plan, deadline }: { orgId: string; plan: string; deadline?: Deadline | undefined },
  requestId: string,
): Promise<Reservation> =>
  settled(
    () =>
      db.change(
        'src/credits/allowance.ts: reserve',
        async (run): Promise<Reservation> => {
          const balance = await lockedBalance(run, orgId)
          await run(
            build
              .deleteFrom('worded_hold')
              .where('org_id', '=', orgId)
              .where(isOpen)
              .where('expires_at', '<=', sql<Date>`ledger_clock()`),
          )
          const held = await run(build.selectFrom('worded_hold').selectAll().where('org_id', '=', orgId).where(isOpen))
          if (held.some((hold) => hold.request_id === requestId)) return 'held'
          const used = await usedBy(run, orgId)
          if (used.today + held.length >= DAILY) return 'daily_ceiling'
          const byCredits = held.filter((hold) => hold.covered_by === 'credits').length
          const covered_by = used.thisMonth + held.length - byCredits < (MONTHLY[plan] ?? 0) ? 'allowance' : 'credits'
          if (covered_by === 'credits' && balance - byCredits < 1) return 'no_allowance'
          await run(
            build.insertInto('worded_hold').values({
              request_id: requestId,
              org_id: orgId,
              day: today,
              covered_by,
              expires_at: sql<Date>`ledger_clock() + make_interval(secs => ${HOLD_SECONDS})`,
            }),
          )
          return 'held'
        },
        ofAccount(orgId, deadline),
      ),
    deadline,
  )

async function usedBy(run: RunQuery, orgId: string): Promise<{ today: number; thisMonth: number }> {
  return onlyRow(
    await run(
      build
        .selectFrom('worded_use')
        .select([
          sql<number>`coalesce(sum(by_allowance), 0)::int`.as('thisMonth'),
          sql<number>`coalesce(sum(by_allowance + by_credits) filter (where day = ${today}), 0)::int`.as('today'),
        ])
        .where('org_id', '=', orgId)
        .where(ofThisMonth),
    ),
  )
}

export type CoveredBy = 'allowance' | 'credits'

/**
 * Counts the answer, once, and says what covered it. It has a deadline of its own, since the words may have taken the call's.
 * Undefined where the place was given back meanwhile: the answer must not be returned worded.
 */
export const post = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<CoveredBy | undefined> =>
  settled(() =>
    db.change(
      'src/credits/allowance.ts: post',
      async (run) => {
        await lockedBalance(run, orgId)
        const [hold] = await run(
          build
            .selectFrom('worded_hold')
            .select(['day', 'covered_by', 'posted'])
            .where('request_id', '=', requestId)
            .where('org_id', '=', orgId),
        )
        if (!hold || hold.posted) return hold?.covered_by
        await run(build.updateTable('worded_hold').set({ posted: true }).where('request_id', '=', requestId))
        const byCredits = hold.covered_by === 'credits' ? 1 : 0
        await run(
          build
            .insertInto('worded_use')
            .values({ org_id: orgId, day: hold.day, by_allowance: 1 - byCredits, by_credits: byCredits })
            .onConflict((conflict) =>
              conflict.constraint('worded_use_pkey').doUpdateSet({
                by_allowance: sql`worded_use.by_allowance + excluded.by_allowance`,
                by_credits: sql`worded_use.by_credits + excluded.by_credits`,
              }),
            ),
        )
        if (byCredits === 0) return hold.covered_by
        await run(
          build
            .insertInto('credit_entry')
            .values({ org_id: orgId, key_id: keyId, request_id: requestId, kind: 'worded', credits: '-1' }),
        )
        return hold.covered_by
      },
      ofAccount(orgId),
    ),
  )

/** Gives the place of an answer that came without words back. */
export const giveBack = (db: Database, orgId: string, requestId: string): Promise<void> =>
  settled(async () => {
    await db.change(
      'src/credits/allowance.ts: giveBack',
      (run) =>
        run(
          build
            .deleteFrom('worded_hold')
            .where('request_id', '=', requestId)
            .where('org_id', '=', orgId)
            .where('posted', '=', false),
        ),
      ofAccount(orgId),
    )
  })

/**
 * Gives an answer back that nobody received worded, also where it was counted: from then on it cannot be counted any more,
 * since its hold is gone.
 */
export const takeBack = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  db.change(
    'src/credits/allowance.ts: takeBack',
    async (run) => {
      await lockedBalance(run, orgId)
      const [hold] = await run(
        build
          .deleteFrom('worded_hold')
          .where('request_id', '=', requestId)
          .where('org_id', '=', orgId)
          .returning(['day', 'covered_by', 'posted']),
      )
      if (!hold?.posted) return
      const byCredits = hold.covered_by === 'credits' ? 1 : 0
      await run(
        build
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
        build
          .insertInto('credit_entry')
          .values({ org_id: orgId, key_id: keyId, request_id: requestId, kind: 'refund', credits: '1' }),
      )
    },
    ofAccount(orgId),
  )
