/**
 * Answers probes and scrapes over a connection of its own: a busy pool does not make the process unready, and the
 * retries of a call do not hide that the database is away.
 */
import { connect, type MovingTarget, PROBE_POOL, whatIsMissing } from '../core/db/index.js'
import { indexGeneration } from '../core/db/statements.js'
import { byDeadline, deadlineIn } from '../core/deadline.js'

type Readiness =
  /** The sentence says why this process should get no calls. */
  { unready: string } | { database: 'up' | 'a replica stands in' }

export type Health = ReturnType<typeof healthOf>

const DEADLINE_MS = 1000

/** A process whose primary is away stays ready for as long as a replica stands in. */
export function healthOf(target: MovingTarget, isStandingIn: () => boolean = () => false) {
  const db = connect(target, { ...PROBE_POOL, deadlineMs: DEADLINE_MS, queueMax: 50 })
  let draining = false
  const inTime = <Answer>(answer: Promise<Answer>) => byDeadline(answer, deadlineIn(DEADLINE_MS))
  return {
    readiness: async (): Promise<Readiness> => {
      if (draining) return { unready: 'This process is stopping.' }
      try {
        const missing = await inTime(whatIsMissing(db))
        return missing === undefined ? { database: 'up' } : { unready: missing }
      } catch (error) {
        if (isStandingIn()) return { database: 'a replica stands in' }
        const { code } = error as { code?: string }
        const how = code === undefined ? ` within ${DEADLINE_MS / 1000} s` : `: ${code}`
        return { unready: `The database does not answer${how}.` }
      }
    },
    /** Undefined while the database is away. */
    generation: async (): Promise<string | undefined> => {
      const [index] = await inTime(indexGeneration(db)).catch(() => [])
      return index?.generation
    },
    /** Makes this process unready from now on. */
    drain: (): void => void (draining = true),
    close: db.close,
  }
}
