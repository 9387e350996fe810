/**
 * A call gets a deadline when it arrives and passes it to all that it waits for: batches, reads, charges and their
 * retries. At the deadline the service answers the caller, whatever is still under way.
 */

/**
 * A call waits this long for the database in all, as docs/recovery.md says. The wording of an insight has its own
 * limit.
 */
export const CALL_MS = 10_000

/** A moment of the monotonic clock: setting the computer's clock does not move it. */
export type Deadline = {
  /** Counted in milliseconds of performance.now(). */
  readonly at: number
  readonly ms: number
  /** The person whose page waits: db/turns.ts shares the connections among people. Undefined for a call of a key. */
  readonly person?: string
  /** Aborted when nobody waits for the page any more. */
  readonly hangUp?: AbortSignal
}

export class DeadlinePassed extends Error {
  constructor({ ms }: Deadline) {
    super(`The database did not answer within ${ms} ms.`)
  }
}

export const deadlineIn = (ms: number): Deadline => ({ at: performance.now() + ms, ms })

export const msLeft = ({ at }: Deadline): number => at - performance.now()

export const hasPassed = (deadline: Deadline): boolean => msLeft(deadline) <= 0

/**
 * Rejects at the deadline. It cannot stop the work behind `answer`: the work looks at the deadline before each step.
 */
export function byDeadline<Answer>(answer: Promise<Answer>, deadline: Deadline): Promise<Answer> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new DeadlinePassed(deadline)), Math.max(0, msLeft(deadline)))
    answer.then(done, failed).finally(() => clearTimeout(timer))
  })
}

/** Resolves when the work ends, or after `ms` at the latest. It cannot stop the work. */
export function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((done, failed) => {
    const timer = setTimeout(done, ms)
    work.then(() => done(), failed).finally(() => clearTimeout(timer))
  })
}

/** A signal that aborts after `ms`, or as soon as `outer` does. `release` stops its timer. */
export function abortAfter(ms: number, outer?: AbortSignal): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  // AbortSignal.any over AbortSignal.timeout would be shorter: on Node 20, such a signal can be collected before it
  // fires.
  const timer = setTimeout(abort, ms)
  outer?.addEventListener('abort', abort, { once: true })
  if (outer?.aborted) abort()
  const release = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, release }
}

/** Rejects when the signal aborts, also where the work does not obey the signal. */
export async function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
