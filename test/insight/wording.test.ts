/** Tests the wording engine at its worst: every failure is bounded in time and in memory. */
import assert from 'node:assert/strict'
import { FAILURES, type Failure } from '../support/wording-server.js'
import {
  assertDiscreet,
  deadlineOf,
  failureOf,
  input,
  KEY,
  narrativeOf,
  passAll,
  PATIENT_MS,
  playedEngine,
} from './engine.js'

describe('the wording engine', () => {
  const engine = playedEngine()

  for (const failure of FAILURES) {
    it(`fails after one call and one retry, and at its deadline only where it hangs: ${failure}`, async () => {
      engine.server.behave({ fail: failure })
      const deadlineMs = deadlineOf(failure)
      const { failed, reason } = failureOf(await engine.narrate(input, passAll, deadlineMs))
      assert.equal(failed, 'unavailable')
      const isRetried = ([529, 'truncated', 'reset'] satisfies Failure[]).some((each) => each === failure)
      // A busy machine may not even have sent the call by a short deadline.
      assert.ok(engine.server.requests.length <= (isRetried ? 2 : 1))
      assert.equal(reason === 'no answer in time', deadlineMs < PATIENT_MS, reason)
      assertDiscreet(reason)
    })
  }

  it('takes 60 MB of memory at most, also for a body of 200 MB', async () => {
    engine.server.behave({ fail: 'endless body' })
    await engine.narrate()
    const rss = process.memoryUsage().rss
    for (let i = 0; i < 2; i += 1) failureOf(await engine.narrate())
    const grown = (process.memoryUsage().rss - rss) / 2 ** 20
    assert.ok(grown < 60, `${grown} MB`)
  })

  it('throws errors without the key, also without a key that no header can hold', async () => {
    for (const apiKey of [KEY, `${KEY}\nx`, `${KEY}é`]) {
      engine.server.behave({ fail: 401 })
      const thrown = await engine
        .asker(apiKey)({ system: 's', user: 'u' }, new AbortController().signal)
        .then(
          () => assert.fail('passed'),
          (error: unknown) => error,
        )
      assert.ok(thrown instanceof Error && thrown.cause === undefined)
      assertDiscreet(`${thrown.message} ${thrown.stack} ${JSON.stringify(thrown)}`)
    }
  })

  describe('is asked with nothing of the environment', () => {
    const wild: Record<string, string> = {
      ANTHROPIC_API_KEY: 'sk-ant-of-the-environment',
      ANTHROPIC_AUTH_TOKEN: 'token-of-the-environment',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_CUSTOM_HEADERS:
        'Authorization: Bearer of-the-environment\nX-Api-Key: of-the-environment\nX-Wild: of-the-environment',
      ANTHROPIC_LOG: 'debug',
      ANTHROPIC_PROFILE: 'of-the-environment',
    }
    const before = Object.fromEntries(Object.keys(wild).map((name) => [name, process.env[name]]))
    beforeEach(() => void Object.assign(process.env, wild))
    afterEach(() => {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    })

    it('gets the configured key and no other header, and nothing is logged', async () => {
      const logged: unknown[] = []
      const kept = {
        debug: console.debug,
        info: console.info,
        warn: console.warn,
        error: console.error,
        log: console.log,
      }
      const listen = (...what: unknown[]) => void logged.push(what)
      Object.assign(console, { debug: listen, info: listen, warn: listen, error: listen, log: listen })
      try {
        narrativeOf(await engine.narrate())
      } finally {
        Object.assign(console, kept)
      }
      assert.deepEqual(logged, [])
      const { headers, body } = engine.server.requests[0] ?? assert.fail('no request')
      assert.equal(headers.authorization, `Bearer ${KEY}`)
      assert.doesNotMatch(JSON.stringify(headers), /of-the-environment/)
      assert.deepEqual(Object.keys(body).sort(), ['max_tokens', 'messages', 'model', 'output_config', 'system'])
      assert.equal(body.model, 'claude-asked')
    })
  })
})
