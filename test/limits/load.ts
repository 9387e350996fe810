/** Calls a service until it is stopped, while a test breaks something. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sample } from '../support/sample.js'
import { ask, bearer, type Answer } from '../support/service.js'

export const point = '/v1/frames/at?lat=0.105&lon=0.205'

export const isMetered = (answer: Answer) => answer.headers.get('ratelimit') !== null

/** `waited` is `took` without the time in which this process was late. */
export type Timed = { secret: string; at: number; took: number; waited: number; answer: Answer }

/** Counts the fifths of a second that come on time. A busy machine makes others late, and the service counts none of them. */
function startClock() {
  const ms = 200
  let [counted, last] = [0, performance.now()]
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - last < 1.25 * ms) counted += ms
    last = now
  }, ms)
  return { now: () => counted, stop: () => clearInterval(timer) }
}

/** Returns the function that stops the load and returns all calls. Each client goes through all keys. */
export function startLoad(url: string, secrets: readonly string[], clients = sample(6, 16)): () => Promise<Timed[]> {
  const going = { on: true }
  const clock = startClock()
  const calls: Timed[] = []
  const client = async (first: number) => {
    for (let turn = first; going.on; turn += 1) {
      const secret = secrets[turn % secrets.length] ?? ''
      const [at, counted] = [performance.now(), clock.now()]
      const answer = await ask(url + point, { headers: bearer(secret) })
      calls.push({ secret, at, took: performance.now() - at, waited: clock.now() - counted, answer })
      // The machine is not to be the reason that a call is late.
      await sleep(10)
    }
  }
  const done = Promise.all(Array.from({ length: clients }, (_, first) => client(first)))
  return async () => {
    going.on = false
    await done
    clock.stop()
    return calls
  }
}

/** Expects that no call was refused. */
export function assertAnswered(calls: readonly Timed[]): void {
  assert.ok(calls.length > 10, `${calls.length} calls`)
  for (const { answer } of calls) assert.equal(answer.status, 200, answer.text)
}

export const unmeteredOf = (calls: readonly Timed[]) => calls.filter(({ answer }) => !isMetered(answer))

/** Waits until calls with each key are metered. */
export async function untilMetered(url: string, secrets: readonly string[]): Promise<void> {
  const from = performance.now()
  for (const secret of secrets) {
    while (!isMetered(await ask(url + point, { headers: bearer(secret) }))) {
      assert.ok(performance.now() - from < 50_000, 'metering did not come back')
      await sleep(20)
    }
  }
}
