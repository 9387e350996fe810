/**
 * Gives back what calls were charged, or had counted, that had failed by then. The decision outlives the call: it is tried again
 * for as long as the process lives, since a charge may still be waiting in the database for its turn to commit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { build } from '../db/build.js'
import type { Database } from '../db/connect.js'
import { takeBack } from './allowance.js'
import { voidCharge, type Caller } from './ledger.js'

/** `charge`: what the call was charged for datasets; `worded`: its worded answer. */
export type Failed = { caller: Caller; requestId: string; part: 'charge' | 'worded' }

export type Voids = {
  /** Nobody waits for it: the call has ended. */
  add: (failed: Failed) => void
  waiting: () => number
  /** Waits until all is given back, so long at the most. */
  close: (ms: number) => Promise<void>
}

type Options = {
  /** Told what was not given back, and why: an operator has to. */
  onGivenUp: (failed: Failed, reason: string) => void
  pauseMs?: { first: number; longest: number }
  forgetEveryMs?: number
}

/** A call in here takes some 300 bytes. */
const WAITING_MAX = 10_000
const PAUSE_MS = { first: 100, longest: 5000 }
/** The database gives back for the service what is at most a day old, and the rows it decides by are kept as long. */
const KEPT_MS = 24 * 3600 * 1000
const FORGET_EVERY_MS = 3600 * 1000

export function voidsOf(
  db: Database,
  { onGivenUp, pauseMs = PAUSE_MS, forgetEveryMs = FORGET_EVERY_MS }: Options,
): Voids {
  type Waiting = Failed & { since: number }
  const waiting: Waiting[] = []
  const closing = new AbortController()
  let working: Promise<void> | undefined
  const forgetting = setInterval(() => void forget(db).catch(() => {}), forgetEveryMs)
  forgetting.unref()

  /** One after another, so that a database in trouble has one more transaction to bear and not thousands. */
  async function work(): Promise<void> {
    let pause = pauseMs.first
    for (let next = waiting[0]; next; next = waiting[0]) {
      const reason = await tried(next)
      if (closing.signal.aborted) return
      waiting.shift()
      if (reason === undefined) {
        pause = pauseMs.first
        continue
      }
      if (performance.now() - next.since > KEPT_MS) {
        onGivenUp(next, reason)
        continue
      }
      // The account that it waits for may be locked; another's may not.
      waiting.push(next)
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(2 * pause, pauseMs.longest)
    }
    working = undefined
  }

  /** Why it was not given back. */
  async function tried({ caller, requestId, part }: Failed): Promise<string | undefined> {
    try {
      await (part === 'charge' ? voidCharge : takeBack)(db, caller, requestId)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  return {
    add: (failed) => {
      if (waiting.length >= WAITING_MAX) return onGivenUp(failed, `${WAITING_MAX} calls wait to be given back already`)
      waiting.push({ ...failed, since: performance.now() })
      working ??= work()
    },
    waiting: () => waiting.length,
    close: async (ms) => {
      clearInterval(forgetting)
      const until = performance.now() + ms
      while (waiting.length > 0 && performance.now() < until) await sleep(20)
      closing.abort()
      for (const failed of waiting) onGivenUp(failed, 'the process ended')
      waiting.length = 0
    },
  }
}

/** Removes decisions, and holds of answers, that are too old to be asked for. */
const forget = (db: Database): Promise<void> =>
  db.change('src/credits/voids.ts: forget', async (run) => {
    const aDay = sql<Date>`ledger_clock() - interval '1 day'`
    await run(build.deleteFrom('voided_call').where('voided_at', '<', aDay))
    await run(build.deleteFrom('worded_hold').where('expires_at', '<', aDay))
  })
