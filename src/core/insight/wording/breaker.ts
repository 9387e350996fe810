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

/** `until` counts in the milliseconds of the clock that is passed in. */
export type BreakerState = { is: 'closed'; failures: number } | { is: 'open'; until: number } | { is: 'probing' }
type Pass = 'call' | 'probe'

export const FAILURES_TO_OPEN = 5
export const OPEN_MS = 30_000
export const CLOSED: BreakerState = { is: 'closed', failures: 0 }

/** Returns undefined for a call that fails at once. */
export function passOf(state: BreakerState, now: number): Pass | undefined {
  if (state.is === 'closed') return 'call'
  return state.is === 'open' && now >= state.until ? 'probe' : undefined
}

export const stateAfterStart = (state: BreakerState, pass: Pass): BreakerState =>
  pass === 'probe' ? { is: 'probing' } : state

export function stateAfterEnd(state: BreakerState, { pass, sign }: { pass: Pass; sign: EngineSign }, now: number) {
  if (pass === 'probe') return stateAfterProbe(sign, now)
  // A call that began before the breaker opened changes nothing.
  if (state.is !== 'closed' || sign === 'none') return state
  if (sign === 'up') return CLOSED
  const failures = state.failures + 1
  return failures < FAILURES_TO_OPEN ? { is: 'closed' as const, failures } : openUntil(now + OPEN_MS)
}

/** A probe that says nothing, as its client hung up, leaves the probe to the next call. */
function stateAfterProbe(sign: EngineSign, now: number): BreakerState {
  if (sign === 'up') return CLOSED
  return openUntil(sign === 'none' ? now : now + OPEN_MS)
}

const openUntil = (until: number): BreakerState => ({ is: 'open', until })

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
  let state = CLOSED
  const changeTo = (next: BreakerState) => {
    const wasClosed = state.is === 'closed'
    state = next
    if (wasClosed !== (next.is === 'closed')) onChange(wasClosed ? 'opened' : 'closed')
  }
  return {
    isAvailable: () => passOf(state, clock()) !== undefined,
    ask: async (prompt, signal) => {
      const pass = passOf(state, clock())
      if (!pass) throw new WordingFault(BREAKER_OPEN, { sign: 'none' })
      changeTo(stateAfterStart(state, pass))
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
        changeTo(stateAfterEnd(state, { pass, sign }, clock()))
      }
    },
  }
}
