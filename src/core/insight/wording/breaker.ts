/**
 * The breaker stops calls to a wording engine that is down. After five failures in a row every call fails at once for 30
 * seconds. After that, the next failure opens it again, and the next success closes it.
 *
 * Neither cockatiel nor opossum fits: in cockatiel, calls wait for a probe; opossum counts a share of failures in a
 * window of time, not failures in a row; and neither takes a clock.
 */
import { WordingFault } from './wording-fault.js'
import type { AskModel } from './wording.js'

export const FAILURES_TO_OPEN = 5
export const OPEN_MS = 30_000
export const BREAKER_OPEN = 'the breaker is open'

export type GuardedModel = {
  ask: AskModel
  /** False while the breaker lets no call through. */
  isAvailable: () => boolean
}
type BreakerOptions = {
  /** Gives the milliseconds of a clock that never goes back. */
  clock?: () => number
  onChange?: (change: 'opened' | 'closed') => void
}

export function withBreaker(
  askModel: AskModel,
  { clock = () => performance.now(), onChange = () => {} }: BreakerOptions = {},
): GuardedModel {
  let failures = 0
  let openUntil = -Infinity
  const isAvailable = () => clock() >= openUntil
  const count = (next: number) => {
    const [wasOpen, isOpen] = [failures >= FAILURES_TO_OPEN, next >= FAILURES_TO_OPEN]
    failures = next
    if (isOpen) openUntil = clock() + OPEN_MS
    if (isOpen !== wasOpen) onChange(isOpen ? 'opened' : 'closed')
  }
  return {
    isAvailable,
    ask: async (prompt, signal) => {
      if (!isAvailable()) throw new WordingFault(BREAKER_OPEN, { sign: 'none' })
      // A call that began before the breaker opened changes nothing.
      const began = clock()
      const counts = () => isAvailable() && (failures < FAILURES_TO_OPEN || began >= openUntil)
      try {
        const answer = await askModel(prompt, signal)
        if (counts()) count(0)
        return answer
      } catch (error) {
        const sign = error instanceof WordingFault ? error.sign : 'down'
        // A caller that stopped waiting says nothing: its client hung up, or its own deadline passed.
        if (!signal.aborted && sign !== 'none' && counts()) count(sign === 'up' ? 0 : failures + 1)
        throw error
      }
    },
  }
}
