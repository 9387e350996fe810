/** Tests the one retry of a call to the wording engine. No test waits. */
import assert from 'node:assert/strict'
import { modelAsker } from '../../src/core/insight/wording/wording.js'
import { KEY, playedEngine } from './engine.js'

const PROMPT = { system: 's', user: 'u' }

describe('a call to the wording engine', () => {
  const engine = playedEngine()

  /** Asks once, and returns the pauses before retries beside the end of the call. */
  async function asked({ signal = new AbortController().signal, onPause = () => {} } = {}) {
    const pauses: number[] = []
    let retries = 0
    const ask = modelAsker({
      apiKey: KEY,
      baseUrl: engine.server.url,
      model: 'm',
      onRetry: () => (retries += 1),
      pause: async (ms) => {
        pauses.push(ms)
        onPause()
      },
    })
    const ended = await ask(PROMPT, signal).then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : 'no error'),
    )
    return { ended, pauses, retries, requests: engine.server.requests.length }
  }

  for (const failure of [{ status: 529 }, { fail: 'truncated' }] as const) {
    it(`is sent again once: ${JSON.stringify(failure)}`, async () => {
      engine.server.behave((_, place) => (place === 0 ? failure : { text: 'Good.' }))
      const { ended, pauses, retries, requests } = await asked()
      assert.deepEqual([ended, retries, requests], ['answered', 1, 2])
      const [pause = 0] = pauses
      assert.ok(pauses.length === 1 && pause >= 500 && pause <= 1000, String(pauses))
    })

    it(`is never sent a third time: ${JSON.stringify(failure)}`, async () => {
      engine.server.behave(failure)
      const { ended, retries, requests } = await asked()
      assert.notEqual(ended, 'answered')
      assert.deepEqual([retries, requests], [1, 2])
    })
  }

  for (const failure of [
    { status: 400 },
    { status: 500 },
    { status: 503, retryAfter: '1' },
    { fail: 'refusal' },
  ] as const) {
    it(`is not sent again: ${JSON.stringify(failure)}`, async () => {
      engine.server.behave(failure)
      const { pauses, requests } = await asked()
      assert.deepEqual([pauses, requests], [[], 1])
    })
  }

  it('obeys a short Retry-After, and is not sent again where it is long', async () => {
    const [short, long] = [
      { status: 429, retryAfter: '2' },
      { status: 529, retryAfter: '7' },
    ]
    engine.server.behave((_, place) => (place === 0 ? short : { text: 'Good.' }))
    const { ended, pauses } = await asked()
    const [pause = 0] = pauses
    assert.ok(ended === 'answered' && pause >= 2000 && pause <= 2500, String(pauses))
    engine.server.requests.length = 0
    engine.server.behave(long)
    assert.deepEqual(await asked(), { ended: 'the status 529', pauses: [], retries: 0, requests: 1 })
  })

  it('is not sent again after its client hung up', async () => {
    const client = new AbortController()
    engine.server.behave({ status: 529 })
    await asked({ signal: client.signal, onPause: () => client.abort() })
    assert.equal(engine.server.requests.length, 1)
  })
})
