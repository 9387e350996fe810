/**
 * How long calls wait for the store. One timer ticks for all of them, and a call is given up at the fifth tick. A tick that comes late
 * does not count: the process was busy meanwhile, and must not take its own slowness for that of the store.
 */
const TICKS = 5
/** In parts of the time between two ticks. */
const LATE = 0.25

type Waiting = { isAnswered: boolean; giveUp: () => void }

export function patience(ms: number): <Answer>(answer: Promise<Answer>) => Promise<Answer> {
  /** Those that began in the same tick, the oldest first. */
  let rounds: Waiting[][] = []
  let timer: NodeJS.Timeout | undefined
  let tickedAt = 0

  const begin = () => {
    rounds = Array.from({ length: TICKS }, () => [])
    tickedAt = performance.now()
    timer = setInterval(tick, ms / TICKS)
    timer.unref()
  }

  function tick(): void {
    const since = performance.now() - tickedAt
    tickedAt += since
    if (since > (1 + LATE) * (ms / TICKS)) return
    for (const { isAnswered, giveUp } of rounds.shift() ?? []) if (!isAnswered) giveUp()
    rounds.push([])
    if (rounds.some((round) => round.length > 0)) return
    clearInterval(timer)
    timer = undefined
  }

  return (answer) =>
    new Promise((done, failed) => {
      const giveUp = () => failed(new Error(`The store did not answer within ${ms} ms.`))
      const waiting: Waiting = { isAnswered: false, giveUp }
      if (!timer) begin()
      rounds.at(-1)?.push(waiting)
      answer.then(done, failed).finally(() => (waiting.isAnswered = true))
    })
}
