/** Tests the wording engine at its worst: every failure is bounded in time and in memory. */
import assert from 'node:assert/strict'
import { narrator } from '../../src/core/insight/narrate.js'
import { modelAsker } from '../../src/core/insight/wording/wording.js'
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

  it('is unavailable at an address that is wrong or where nobody listens', async () => {
    for (const baseUrl of ['http://127.0.0.1:1', 'not an address', 'ftp://127.0.0.1']) {
      const ask = modelAsker({ apiKey: KEY, baseUrl, model: 'm' })
      assert.equal(failureOf(await narrator(ask, passAll, { deadlineMs: 5000 })(input)).failed, 'unavailable')
    }
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

  it('ends a call that is aborted before or while it runs', async () => {
    engine.server.behave({ fail: 'hang before headers' })
    await assert.rejects(engine.asker()({ system: 's', user: 'u' }, AbortSignal.abort()), /no answer in time/)
    assert.equal(engine.server.requests.length, 0)
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 50)
    await assert.rejects(engine.asker(KEY, 300_000)({ system: 's', user: 'u' }, abort.signal), /no answer in time/)
  })

  it('must answer with a whole message of the assistant, in text, from a model with a name', async () => {
    const changes = [
      { type: 'error' },
      { role: 'user' },
      { stop_reason: null },
      { stop_reason: 'pause_turn' },
      { model: 12 },
      { model: '' },
      { model: '<b>' },
      { content: '{"paragraphs":[[1]]}' },
      { content: [null] },
      { content: [{ type: 'text', text: 12 }] },
      {
        content: [
          { type: 'text', text: '{"paragraphs":[[1]]}' },
          { type: 'tool_use', id: 'a', name: 'b', input: {} },
        ],
      },
    ]
    for (const message of changes) {
      engine.server.behave({ message })
      assert.equal(failureOf(await engine.narrate()).failed, 'unavailable', JSON.stringify(message))
    }
  })

  it('may send the thoughts of the model, which the narrative leaves out', async () => {
    const thought = { type: 'thinking', thinking: '12', signature: '' }
    engine.server.behave({ message: { content: [thought, { type: 'text', text: '{"paragraphs":[[1]]}' }] } })
    assert.equal(narrativeOf(await engine.narrate()), 'These frames have 12 clinics in total.')
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

    it("has the SDK's own address where none is set", async () => {
      const real = globalThis.fetch
      const addresses: string[] = []
      globalThis.fetch = (url) => (
        addresses.push(url instanceof Request ? url.url : String(url)),
        Promise.reject(new Error('no network'))
      )
      try {
        await narrator(modelAsker({ apiKey: KEY, baseUrl: undefined, model: 'm' }), passAll)(input)
      } finally {
        globalThis.fetch = real
      }
      assert.deepEqual(addresses, ['https://api.anthropic.com/v1/messages'])
    })
  })
})
