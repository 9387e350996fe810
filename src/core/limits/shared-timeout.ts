/**
 * Gives many promises a timeout by one timer. The timer ticks while promises wait, and rejects a promise at its fifth
 * tick. A tick that comes late does not count: the process was busy, and its own slowness is not a fault of the store.
 */
import { registry } from '../runtime/registry.js'

const TICKS = 5
/** A tick is late when it comes by more than this part of the interval after its time. */
const LATE_BY = 0.25

/** `tick` is the last one before the promise came. */
type Pending = { tick: number; reject: () => void }

export function sharedTimeout(ms: number): <Answer>(answer: Promise<Answer>) => Promise<Answer> {
  const interval = ms / TICKS
  /** A promise leaves as soon as it settles: kept until its tick, each would grow old, and V8 collect it late. */
  const waiting = registry<Pending>()
  let timer: NodeJS.Timeout | undefined
  let ticks = 0
  let lastTick = 0

  function start(): void {
    lastTick = performance.now()
    timer = setInterval(onTick, interval)
    timer.unref()
  }

  function onTick(): void {
    const now = performance.now()
    const isLate = now - lastTick > (1 + LATE_BY) * interval
    lastTick = now
    if (isLate) return
    ticks += 1
    const all = waiting.all()
    for (const { tick, reject } of all) if (ticks - tick >= TICKS) reject()
    if (all.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (answer) =>
    new Promise((resolve, reject) => {
      if (!timer) start()
      const place = waiting.add({
        tick: ticks,
        reject: () => reject(new Error(`The store did not answer within ${ms} ms.`)),
      })
      answer.then(resolve, reject).finally(() => waiting.remove(place))
    })
}
