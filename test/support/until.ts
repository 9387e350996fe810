/** Waits for what comes in its own time. */
import { setTimeout as sleep } from 'node:timers/promises'

type Patience = {
  /** Without it, the time limit of the test ends the wait. */
  ms?: number
  everyMs?: number
  /** Says what did not come. */
  why?: () => string
}

/** Looks again and again until there is something, and returns it. */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  { ms = Infinity, everyMs = 50, why = () => 'It was not so' }: Patience = {},
): Promise<NonNullable<Found>> {
  for (const late = performance.now() + ms; ; await sleep(everyMs)) {
    const found = await look()
    if (found) return found
    if (performance.now() > late) throw new Error(`${why()} within ${ms / 1000} s.`)
  }
}
