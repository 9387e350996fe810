/**
 * Pays for worded answers: by the monthly allowance of the plan, then by credits, up to a ceiling a day. A hold stands
 * for an answer that is being worded. It is posted, released or voided, once. Days and months are UTC, by the clock of
 * the database.
 */
import { sql } from 'kysely'
import { testPurpose } from '../access/index.js'
import type { Database } from '../db/index.js'
import type { Deadline } from '../deadline.js'
import { changeAccount, retryIfLost } from './account.js'
import type { Caller } from './ledger.js'

export const MONTHLY_ALLOWANCE: Record<string, number> = { trial: 100, pro: 2000, scale: 20_000 }
export const DAILY_CEILING = 1000
/** Longer than an answer may take to be worded. An older hold belongs to a process that ended. */
export const HOLD_SECONDS = 60

/** `worded_before`: a form of the web app that was put into words was sent again. */
export type Reservation = 'held' | 'no_allowance' | 'daily_ceiling' | 'key_cap' | 'worded_before'
export type CoveredBy = 'allowance' | 'credits'

/** Opens a hold for one worded answer if the allowance or the credits cover it. */
export const openHold = (
  db: Database,
  { orgId, keyId, plan, deadline }: Caller & { plan: string; deadline?: Deadline | undefined },
  requestId: string,
): Promise<Reservation> =>
  retryIfLost(async () => {
    if (testPurpose({ keyId })) return 'no_allowance'
    const monthly = MONTHLY_ALLOWANCE[plan] ?? 0
    const opened = await changeAccount(
      db,
      'src/core/credits/allowance.ts: openHold',
      { orgId, deadline },
      sql<Reservation>`hold_open(${orgId}, ${keyId}, ${requestId}, ${monthly}, ${DAILY_CEILING}, ${HOLD_SECONDS})`,
    )
    // A dry run goes on to the words, and says that it does not ask for them.
    return opened ?? 'held'
  }, deadline)

/**
 * Counts the worded answer, once, and returns what covered it: undefined if the hold is gone, and the answer must then
 * go out without words. The change has a deadline of its own, since wording may have used up that of the call.
 */
export const postHold = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<CoveredBy | undefined> =>
  retryIfLost(async () => {
    const coveredBy = await changeAccount(
      db,
      'src/core/credits/allowance.ts: postHold',
      { orgId },
      sql<CoveredBy | null>`hold_post(${orgId}, ${keyId}, ${requestId})`,
    )
    return coveredBy ?? undefined
  })

/** Deletes the hold of an answer that got no words, unless it is posted. */
export const releaseHold = (db: Database, orgId: string, requestId: string): Promise<void> =>
  retryIfLost(() =>
    changeAccount(
      db,
      'src/core/credits/allowance.ts: releaseHold',
      { orgId },
      sql<void>`hold_release(${orgId}, ${requestId})`,
    ),
  )

/** Takes back the count and the credit of a worded answer that nobody received. */
export const voidHold = (db: Database, { orgId, keyId }: Caller, requestId: string): Promise<void> =>
  changeAccount(
    db,
    'src/core/credits/allowance.ts: voidHold',
    { orgId },
    sql<void>`hold_void(${orgId}, ${keyId}, ${requestId})`,
  )
