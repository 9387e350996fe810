/**
 * Bounds the statements under way, which postgres.js does not: their number is limited, and each has a deadline. New
 * connections replace those whose machine does not answer.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, DatabaseEvent } from './database.js'
import type { Connections } from './driver/connections.js'
import { byDeadline, type Deadline, DeadlinePassed, hasPassed } from '../deadline.js'

const LOST_CODES =
  /^(CONNECT\w*|ECONN\w*|EPIPE|ENOENT|EHOST\w*|ENETDOWN|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0\w|25P01)$/

/**
 * PostgreSQL went away (57P0 is its own farewell), or is not back yet, or its machine cannot be reached. 25P01: the
 * COMMIT of a transaction came on another connection than its BEGIN.
 */
export function isLost(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && LOST_CODES.test(code)
}

export type Bounded = <Answer>(ask: () => Promise<Answer>, deadline: Deadline) => Promise<Answer>

class DatabaseBusy extends Error {}

type Bounds = { deadlineMs: number; queueMax: number; onEvent: (event: DatabaseEvent) => void }
export type Opened = { now: () => Connections; reconnect: () => void }

export function boundStatements(
  { deadlineMs, queueMax, onEvent }: Bounds,
  { now, reconnect }: Opened,
): { bounded: Bounded; load: Database['load'] } {
  let underWay = 0
  let answeredAt = 0

  async function bounded<Answer>(ask: () => Promise<Answer>, deadline: Deadline): Promise<Answer> {
    if (underWay >= queueMax) {
      onEvent('busy')
      throw new DatabaseBusy(`${underWay} queries are under way, at most ${queueMax} may be.`)
    }
    if (hasPassed(deadline)) {
      onEvent('late')
      throw new DeadlinePassed(deadline)
    }
    if (underWay === 0) answeredAt = performance.now()
    underWay += 1
    const asked = now()
    const from = performance.now()
    try {
      const answer = await byDeadline(ask(), deadline)
      answeredAt = performance.now()
      return answer
    } catch (error) {
      const isLate = error instanceof DeadlinePassed
      if (isLate) onEvent('late')
      // No connection has answered since, for half a deadline: their machine may be gone.
      const isSilent = isLate && answeredAt <= from && performance.now() - answeredAt > deadlineMs / 2
      if (!isLate && !isLost(error)) answeredAt = performance.now()
      else if (now() === asked && (isSilent || isLost(error))) reconnect()
      throw error
    } finally {
      underWay -= 1
    }
  }

  return { bounded, load: () => ({ underWay, limit: queueMax }) }
}

/** The pause between two tries of a read grows: PostgreSQL restarts in about a second. */
const RETRY_PAUSE_MS = { first: 25, longest: 200 }

/** Retries lost reads: a read is harmless to repeat, and a restart of PostgreSQL ends before most callers notice it. */
export function retryReads(
  { retryMs, onEvent }: Pick<Bounds, 'onEvent'> & { retryMs: number },
  bounded: Bounded,
): Bounded {
  return async (ask, deadline) => {
    const lastTry = Math.min(performance.now() + retryMs, deadline.at)
    for (let pause = RETRY_PAUSE_MS.first; ; pause = Math.min(2 * pause, RETRY_PAUSE_MS.longest)) {
      try {
        return await bounded(ask, deadline)
      } catch (error) {
        if (!isLost(error) || performance.now() + pause > lastTry) throw error
        onEvent('retried')
        await sleep(pause)
      }
    }
  }
}

/**
 * Work that needs the same thing waits here, in the order in which it came: transactions that lock the same row, since
 * in PostgreSQL each would wait with a connection that other calls need; and transactions on the same connection.
 */
export function queues(): <Answer>(thing: unknown, work: () => Promise<Answer>) => Promise<Answer> {
  const lastOf = new Map<unknown, Promise<void>>()
  return (thing, work) => {
    const mine = (lastOf.get(thing) ?? Promise.resolve()).then(work)
    const ended = settled(mine).finally(() => lastOf.get(thing) === ended && lastOf.delete(thing))
    lastOf.set(thing, ended)
    return mine
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
