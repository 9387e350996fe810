/**
 * Queues refunds for calls that failed after they were charged or counted. A refund is retried for as long as the
 * process lives, since the charge may still wait in the database to commit. The queue also releases holds that could
 * not be released at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { builder, type Database } from '../db/index.js'
import { HOLD_SECONDS, releaseHold, voidHold } from './allowance.js'
import { type Caller, voidCharge } from './ledger.js'

/** `charge` refunds the charges for datasets, `worded` the worded answer. `hold` releases a hold. */
export type Refund = { caller: Caller; requestId: string; part: 'charge' | 'worded' | 'hold' }

export type Refunds = ReturnType<typeof openRefunds>

type RefundOptions = {
  /** Runs for a refund that was not made: an operator makes it. */
  onFailure: (refund: Refund, reason: string) => void
  pauseMs?: { first: number; longest: number }
  cleanUpEveryMs?: number
}

/** A waiting refund takes about 300 bytes. */
const QUEUE_MAX = 10_000
const REFUND_PAUSE_MS = { first: 100, longest: 5000 }
/**
 * The database lets the service refund charges of the last day, and `cleanUp` keeps the rows that decide it as long.
 */
const REFUNDABLE_MS = 24 * 3600 * 1000
/** A hold expires by itself. No operator has to release it. */
const RELEASABLE_MS = HOLD_SECONDS * 1000
const CLEAN_UP_EVERY_MS = 3600 * 1000

export function openRefunds(
  db: Database,
  { onFailure, pauseMs = REFUND_PAUSE_MS, cleanUpEveryMs = CLEAN_UP_EVERY_MS }: RefundOptions,
) {
  const queue: (Refund & { since: number })[] = []
  const closing = new AbortController()
  let working: Promise<void> | undefined
  const report = (refund: Refund, reason: string) => {
    if (refund.part !== 'hold') onFailure(refund, reason)
  }
  const cleaning = setInterval(() => void cleanUp(db).catch(() => {}), cleanUpEveryMs)
  cleaning.unref()

  /** Refunds one call at a time: a database in trouble bears one transaction more, not thousands. */
  async function work(): Promise<void> {
    let pause = pauseMs.first
    for (let next = queue[0]; next; next = queue[0]) {
      const failure = await tryRefund(db, next)
      if (closing.signal.aborted) return
      queue.shift()
      if (failure === undefined) {
        pause = pauseMs.first
        continue
      }
      if (performance.now() - next.since > (next.part === 'hold' ? RELEASABLE_MS : REFUNDABLE_MS)) {
        report(next, failure)
        continue
      }
      // The refund goes to the end of the queue: its account may be locked, and the next one may not.
      queue.push(next)
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(2 * pause, pauseMs.longest)
    }
    working = undefined
  }

  return {
    add: (refund: Refund): void => {
      if (queue.length >= QUEUE_MAX) return report(refund, `${QUEUE_MAX} refunds wait already`)
      queue.push({ ...refund, since: performance.now() })
      working ??= work()
    },
    waiting: () => queue.length,
    /** Waits until the queue is empty, at most `ms`. */
    close: async (ms: number): Promise<void> => {
      clearInterval(cleaning)
      const until = performance.now() + ms
      while (queue.length > 0 && performance.now() < until) await sleep(20)
      closing.abort()
      for (const refund of queue) report(refund, 'the process ended')
      queue.length = 0
    },
  }
}

/** Returns why the refund failed, undefined if it was made. */
async function tryRefund(db: Database, { caller, requestId, part }: Refund): Promise<string | undefined> {
  try {
    if (part === 'hold') await releaseHold(db, caller.orgId, requestId)
    else await (part === 'charge' ? voidCharge : voidHold)(db, caller, requestId)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Deletes the marks of failed calls, the holds, and the walks, that are too old for a refund. */
const cleanUp = (db: Database): Promise<unknown> =>
  db.write('src/core/credits/refunds.ts: cleanUp', builder.selectNoFrom(sql`ledger_clean_up()`.as('cleaned')))
