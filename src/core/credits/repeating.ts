/** Charges a call that is sent again with its Idempotency-Key once. */
import { sql } from 'kysely'
import type { Database } from '../db/index.js'
import { changeAccount, retryIfLost } from './account.js'
import type { Caller } from './ledger.js'

/** `key`: the Idempotency-Key. `question`: a hash of what the call asks. */
export type Repetition = { key: string; question: string }

/** Enters the call before it is charged. False where another question came under the key within 24 hours. */
export const enterRepetition = (
  db: Database,
  { orgId, deadline }: Pick<Caller, 'orgId' | 'deadline'>,
  requestId: string,
  { key, question }: Repetition,
): Promise<boolean> =>
  retryIfLost(async () => {
    const isSame = await changeAccount(
      db,
      'src/core/credits/repeating.ts: enterRepetition',
      { orgId, deadline },
      sql<boolean>`call_repeat(${orgId}, ${requestId}, ${key}, ${question})`,
    )
    return isSame ?? true
  }, deadline)
