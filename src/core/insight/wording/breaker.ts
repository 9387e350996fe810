/**
 * The breaker stops calls to a wording engine that is down. After five failures in a row it is open: for 30 seconds
 * every call fails at once. Then one call probes the engine while the others still fail at once. The breaker closes if
 * the probe succeeds.
 *
 * Neither cockatiel nor opossum fits: in cockatiel, calls wait for the probe; opossum counts a share of failures in a
 * window of time, not failures in a row; and neither takes a clock.
 */
import { WordingFault, type EngineSign } from './wording-fault.js'
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
  /** Undefined while the breaker is closed, and Infinity while a call probes. */
  let openUntil: number | undefined
  const isAvailable = () => openUntil === undefined || clock() >= openUntil
  const end = (sign: EngineSign, isProbe: boolean) => {
    // A call that began before the breaker opened changes nothing.
    if (!isProbe && (openUntil !== undefined || sign === 'none')) return
    failures = sign === 'up' ? 0 : failures + 1
    const isOpen = isProbe ? sign !== 'up' : failures >= FAILURES_TO_OPEN
    if (isOpen !== isProbe) onChange(isOpen ? 'opened' : 'closed')
    // A probe that says nothing, as its client hung up, leaves the probe to the next call.
    openUntil = isOpen ? clock() + (sign === 'none' ? 0 : OPEN_MS) : undefined
  }
  return {
    isAvailable,
    ask: async (prompt, signal) => {
      if (!isAvailable()) throw new WordingFault(BREAKER_OPEN, { sign: 'none' })
      const isProbe = openUntil !== undefined
      if (isProbe) openUntil = Infinity
      let sign: EngineSign = 'down'
      try {
        const answer = await askModel(prompt, signal)
        sign = 'up'
        return answer
      } catch (error) {
        // The caller stopped waiting: its client hung up, or its own deadline passed.
        if (signal.aborted) sign = 'none'
        else if (error instanceof WordingFault) sign = error.sign
        throw error
      } finally {
        end(sign, isProbe)
      }
    },
  }
}
