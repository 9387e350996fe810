/**
 * What probes and scrapes want to know, asked on a connection of its own: a busy pool makes no process unready, and no retry of a
 * call hides that the database is away.
 */
import { connect, type Target } from '../db/connect.js'
import { whatIsMissing } from '../db/migrate.js'
import { indexGeneration } from '../db/statements.js'

export type Health = {
  /** Why this process should get no calls, in a sentence; undefined where it may. */
  unready: () => Promise<string | undefined>
  /** Undefined while the database is away. */
  generation: () => Promise<string | undefined>
  /** From now on this process is not ready. */
  drain: () => void
  close: () => Promise<void>
}

const DEADLINE_MS = 1000

export function healthOf(target: Target): Health {
  const db = connect(target, { connections: 1, deadlineMs: DEADLINE_MS, queueMax: 50 })
  let draining = false
  const inTime = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const late = new Promise<never>((_, failed) => {
      setTimeout(() => failed(new Error('no answer in time')), DEADLINE_MS).unref()
    })
    return Promise.race([answer, late])
  }
  return {
    unready: async () => {
      if (draining) return 'This process is stopping.'
      return await inTime(whatIsMissing(db)).catch(
        (error: { code?: string }) =>
          `The database does not answer${error.code === undefined ? ` within ${DEADLINE_MS / 1000} s` : `: ${error.code}`}.`,
      )
    },
    generation: async () => {
      const [index] = await inTime(indexGeneration(db)).catch(() => [])
      return index?.generation
    },
    drain: () => (draining = true),
    close: db.close,
  }
}
