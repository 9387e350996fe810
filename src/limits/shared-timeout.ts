/**
 * Gives many promises a timeout by one timer. The timer ticks while promises wait, and rejects a promise at its fifth
 * tick. A tick that comes late does not count: the process was busy, and its own slowness is not a fault of the store.
 */
const TICKS = 5
/** A tick is late when it comes by more than this part of the interval after its time. */
const LATE_BY = 0.25

type Pending = { isSettled: boolean; reject: () => void }

export function sharedTimeout(ms: number): <Answer>(answer: Promise<Answer>) => Promise<Answer> {
  const interval = ms / TICKS
  /** The promises by the tick before which they came, the oldest first. */
  let rounds: Pending[][] = []
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0

  function start(): void {
    rounds = Array.from({ length: TICKS }, () => [])
    lastTick = performance.now()
    timer = setInterval(tick, interval)
    timer.unref()
  }

  function tick(): void {
    const now = performance.now()
    const isLate = now - lastTick > (1 + LATE_BY) * interval
    lastTick = now
    if (isLate) return
    for (const { isSettled, reject } of rounds.shift() ?? []) if (!isSettled) reject()
    rounds.push([])
    if (rounds.some((round) => round.length > 0)) return
    clearInterval(timer)
    timer = undefined
  }

  return (answer) =>
    new Promise((resolve, reject) => {
      const pending: Pending = {
        isSettled: false,
        reject: () => reject(new Error(`The store did not answer within ${ms} ms.`)),
      }
      if (!timer) start()
      rounds.at(-1)?.push(pending)
      answer.then(resolve, reject).finally(() => (pending.isSettled = true))
    })
}
