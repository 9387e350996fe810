/** Tells whether the process was late: what clients sent meanwhile waits in the kernel, and they are not slow. */

const TICK_MS = 100
const LATE_MS = 500

export type LateTurns = { wasLate: () => boolean; stop: () => void }

export function watchLateTurns(): LateTurns {
  let lastTick = performance.now()
  let lateAt = -Infinity
  const isOver = (since: number) => performance.now() - since > LATE_MS
  const timer = setInterval(() => {
    if (isOver(lastTick)) lateAt = performance.now()
    lastTick = performance.now()
  }, TICK_MS)
  timer.unref()
  return {
    // The check of Node may run before this timer, or after it.
    wasLate: () => isOver(lastTick) || !isOver(lateAt),
    stop: () => clearInterval(timer),
  }
}
