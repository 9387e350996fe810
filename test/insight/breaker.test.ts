/** Tests the breaker of the wording engine with a clock that the tests set. */
import assert from 'node:assert/strict'
import { FAILURES_TO_OPEN, OPEN_MS, withBreaker } from '../../src/core/insight/wording/breaker.js'
import { statusFault, type EngineSign } from '../../src/core/insight/wording/wording-fault.js'
import { FAILURES, type Failure } from '../support/wording-server.js'
import { deadlineOf, KEY, playedEngine } from './engine.js'

const PROMPT = { system: 's', user: 'u' }
const signal = () => new AbortController().signal

/** A breaker whose model ends each call as the test says. */
function playedBreaker() {
  let now = 1000
  const changes: string[] = []
  const calls: { end: (sign: EngineSign) => void }[] = []
  const { ask, isAvailable } = withBreaker(
    () =>
      new Promise((done, failed) => {
        calls.push({
          end: (sign) =>
            sign === 'up' ? done({ text: '', model: 'm' }) : failed(statusFault(sign === 'down' ? 500 : 400, null)),
        })
      }),
    { clock: () => now, onChange: (change) => changes.push(change) },
  )
  const begin = () => {
    const before = calls.length
    const ended = ask(PROMPT, signal()).then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : 'no error'),
    )
    return { end: calls[before]?.end, ended }
  }
  /** Makes a call that reaches the model, and ends it. */
  const call = async (sign: EngineSign) => {
    const { end, ended } = begin()
    assert.ok(end, 'the breaker stopped the call')
    end(sign)
    return await ended
  }
  const fail = async (times: number) => {
    for (let i = 0; i < times; i += 1) await call('down')
  }
  return { begin, call, fail, isAvailable, changes, calls, wait: (ms: number) => (now += ms) }
}

describe('the breaker', () => {
  it('opens after five failures in a row, and fails every call at once then', async () => {
    const { begin, fail, isAvailable, changes, calls } = playedBreaker()
    await fail(4)
    assert.ok(isAvailable())
    await fail(1)
    assert.ok(!isAvailable())
    assert.equal(await begin().ended, 'the breaker is open')
    assert.equal(calls.length, 5)
    assert.deepEqual(changes, ['opened'])
  })

  it('starts the row again after a success, and not after a fault of one prompt', async () => {
    const { call, fail, isAvailable } = playedBreaker()
    await fail(4)
    await call('up')
    await fail(4)
    assert.ok(isAvailable())
    await call('none')
    await fail(1)
    assert.ok(!isAvailable())
  })

  it('stays open for 30 seconds', async () => {
    const { begin, call, fail, isAvailable, wait } = playedBreaker()
    await fail(5)
    wait(OPEN_MS - 1)
    assert.ok(!isAvailable())
    assert.equal(begin().end, undefined)
    wait(1)
    assert.equal(await call('up'), 'answered')
    assert.ok(isAvailable())
  })

  it('closes after a call that succeeds, and then opens after five failures again', async () => {
    const { call, fail, isAvailable, changes, wait } = playedBreaker()
    await fail(5)
    wait(OPEN_MS)
    await call('up')
    await fail(4)
    assert.ok(isAvailable())
    await fail(1)
    assert.deepEqual(changes, ['opened', 'closed', 'opened'])
  })

  it('waits 30 seconds more after a call that fails, and tells nothing twice', async () => {
    const { call, fail, isAvailable, changes, wait } = playedBreaker()
    await fail(5)
    wait(OPEN_MS)
    await call('down')
    wait(OPEN_MS - 1)
    assert.ok(!isAvailable())
    wait(1)
    assert.ok(isAvailable())
    assert.deepEqual(changes, ['opened'])
  })

  it('does not listen to calls that began before it opened', async () => {
    const { begin, fail, isAvailable, wait } = playedBreaker()
    const [slow, slower] = [begin(), begin()]
    await fail(5)
    slow.end?.('up')
    await slow.ended
    assert.ok(!isAvailable())
    wait(OPEN_MS)
    slower.end?.('down')
    await slower.ended
    assert.ok(isAvailable())
  })

  it('counts nothing for a caller that stopped waiting, also where the call fails', async () => {
    const leaving = AbortSignal.abort()
    const { ask, isAvailable } = withBreaker(() => Promise.reject(statusFault(500, null)))
    for (let i = 0; i < 10; i += 1) await assert.rejects(ask(PROMPT, leaving))
    assert.ok(isAvailable())
  })
})

describe('a failure of the wording engine', () => {
  const engine = playedEngine()
  const opensAfterFive = async (failure: Failure) => {
    const { ask, isAvailable } = withBreaker(engine.asker(KEY, deadlineOf(failure)))
    const calls = Array.from({ length: FAILURES_TO_OPEN }, () => ask(PROMPT, signal()).catch(() => {}))
    await Promise.all(calls)
    return !isAvailable()
  }
  /** These are faults of one prompt, or come with an answer of the model. */
  const uncounted = new Set<Failure>([
    ...([400, 413] as const),
    ...(['refusal', 'cut', 'tool use', 'other content'] as const),
  ])
  for (const failure of FAILURES) {
    it(`${uncounted.has(failure) ? 'does not count' : 'counts'} for the breaker: ${failure}`, async () => {
      engine.server.behave({ fail: failure })
      assert.equal(await opensAfterFive(failure), !uncounted.has(failure))
    })
  }

  it('counts where nobody listens', async () => {
    const closed = withBreaker(() => Promise.reject(new Error('connect ECONNREFUSED')))
    for (let i = 0; i < FAILURES_TO_OPEN; i += 1) await closed.ask(PROMPT, signal()).catch(() => {})
    assert.ok(!closed.isAvailable())
  })
})
