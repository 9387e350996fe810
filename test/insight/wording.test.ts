/** The wording engine at its worst: the real SDK asks a real server that lies and fails in every way, and the answer is bounded. */
import assert from 'node:assert/strict'
import { narrator, type Narration } from '../../src/insight/narrate.js'
import type { NarrativeInput } from '../../src/insight/prompt.js'
import { modelAsker } from '../../src/insight/wording.js'
import {
  FAILURES,
  LIES,
  WORDING_MODEL,
  startWordingServer,
  type Failure,
  type WordingServer,
} from '../support/wording-server.js'

const KEY = 'sk-ant-secret-of-the-tests'
const DEADLINE_MS = 600
const SLACK_MS = 500
const QUESTION = 'How many clinics are there?'

const input: NarrativeInput = {
  question: QUESTION,
  format: 'plain',
  facts: {
    headline: '12 clinics on 4 frames',
    facets: [
      { label: 'Clinics', value: '12' },
      { label: 'Population, total', value: '1,234 people' },
      { label: 'Land cover, most common', value: 'Cropland (3 of 4 frames, 75 %)' },
    ],
    frames: 4,
    frameIds: ['35640905'],
  },
}
const report: NarrativeInput = {
  ...input,
  format: 'report',
  sections: [
    { title: 'Health', facets: [0] },
    { title: 'People and land', facets: [1, 2] },
  ],
}

/** The second gate has tests of its own; here it stands open, so that the first is what refuses. */
const open = () => []

describe('the wording engine', () => {
  let server: WordingServer
  before(async () => (server = await startWordingServer()))
  after(() => server.close())
  beforeEach(() => {
    server.behave('well')
    server.requests.length = 0
  })

  const asker = (apiKey = KEY) =>
    modelAsker({ apiKey, baseUrl: server.url, model: 'claude-asked', deadlineMs: DEADLINE_MS })
  const narrate = (what = input, check: Parameters<typeof narrator>[1] = open) =>
    narrator(asker(), check, { deadlineMs: DEADLINE_MS })(what)
  const narrativeOf = (narrated: Narration) =>
    'narrative' in narrated ? narrated.narrative : assert.fail(`${narrated.failed}: ${narrated.reason}`)
  const failureOf = (narrated: Narration) =>
    'failed' in narrated ? narrated : assert.fail(`passed: ${narrated.narrative}`)

  it('gives prose with the figures as they stand, and the model that the API reports', async () => {
    const narrated = await narrate()
    assert.deepEqual(narrated, {
      narrative:
        'The clinics is 12. The population total is 1,234 people. The land cover most common is Cropland (3 of 4 frames, 75 %).',
      model: WORDING_MODEL,
    })
    assert.equal(server.requests.length, 1)
  })

  it('gives a report with the sections asked for, under their titles', async () => {
    server.behave('report')
    const narrative = narrativeOf(await narrate(report))
    assert.equal(
      narrative,
      '## Health\nThe clinics is 12.\n\n## People and land\nThe population total is 1,234 people. The land cover most common is Cropland (3 of 4 frames, 75 %).',
    )
  })

  it('refuses a report with a title missing, added, changed, out of order or without text', async () => {
    const texts = [
      'The clinics number {F1}.',
      '## Health\nThe clinics number {F1}.',
      '## Health\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.\n## Advice\nBuild more.',
      '## Health in brief\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.',
      '## People and land\nPeople: {F2}.\n## Health\nThe clinics number {F1}.',
      '## Health\n## People and land\nPeople: {F2}.',
      '## Health\nPeople: {F2}.\n## People and land\nThe clinics number {F1}.',
      '### Health\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.',
    ]
    for (const text of texts) {
      server.behave({ text })
      assert.equal(failureOf(await narrate(report)).failed, 'unverified', text)
    }
  })

  it('puts facets under a plain title where the given one holds a number that is not among the figures', async () => {
    const titled = {
      ...report,
      sections: [
        { title: 'Agenda 2030', facets: [0] },
        { title: 'Land', facets: [1, 2] },
      ],
    }
    const check = (text: string) => (text.includes('2030') ? [{ text: '2030', at: 0, why: 'not a figure' }] : [])
    assert.match(narrativeOf(await narrate(titled, check)), /^## Other figures\n.*\n\n## Land\n/)
    assert.match(narrativeOf(await narrate(titled)), /^## Agenda 2030\n/)
  })

  for (const failure of FAILURES) {
    it(`gives up in time, after one call: ${failure}`, async () => {
      server.behave({ fail: failure })
      const started = performance.now()
      const { failed, reason } = failureOf(await narrate())
      const took = performance.now() - started
      assert.ok(took < DEADLINE_MS + SLACK_MS, `${took} ms`)
      const textCame = (['other script', 'tags and links'] satisfies Failure[]).some((each) => each === failure)
      assert.equal(failed, textCame ? 'unverified' : 'unavailable')
      assert.equal(server.requests.length, textCame ? 2 : 1)
      assertDiscreet(reason)
    })
  }

  it('fails at once, and not at the deadline, where the engine answers at all', async () => {
    for (const failure of [429, 503, 529, 'endless body', 'long text', 'redirect', 'html'] satisfies Failure[]) {
      server.behave({ fail: failure })
      const started = performance.now()
      failureOf(await narrate())
      assert.ok(performance.now() - started < DEADLINE_MS / 2, String(failure))
    }
  })

  it('holds no more of a body of 200 MB than its bound', async () => {
    server.behave({ fail: 'endless body' })
    await narrate()
    const rss = process.memoryUsage().rss
    for (let i = 0; i < 3; i += 1) failureOf(await narrate())
    const grown = (process.memoryUsage().rss - rss) / 2 ** 20
    assert.ok(grown < 60, `${grown} MB`)
  })

  for (const lie of LIES) {
    it(`refuses a lie, twice: ${lie}`, async () => {
      server.behave({ lie })
      const { failed, reason } = failureOf(await narrate())
      assert.equal(failed, 'unverified')
      assert.equal(server.requests.length, 2)
      assertDiscreet(reason)
    })
  }

  it('repairs once: the answer goes back with its faults', async () => {
    server.behave((_, place) => (place === 0 ? { lie: 'number word' } : 'well'))
    narrativeOf(await narrate())
    const [first, second] = server.requests.map(({ body }) => body.messages)
    assert.equal(first?.length, 1)
    assert.deepEqual(second?.[0], first?.[0])
    assert.match(second?.[1]?.content ?? '', /There are seven more nearby/)
    assert.match(second?.[2]?.content ?? '', /"seven" is a number word/)
    assert.deepEqual(
      second?.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    )
  })

  it('repairs an empty answer, which the API would refuse to be sent', async () => {
    server.behave((_, place) => (place === 0 ? { text: ' ' } : 'well'))
    narrativeOf(await narrate())
    assert.equal(server.requests[1]?.body.messages[1]?.content, '(nothing)')
  })

  it('calls it unverified where text came and its repair failed, within the one deadline', async () => {
    for (const fail of [500, 'hang in body'] satisfies Failure[]) {
      server.requests.length = 0
      server.behave((_, place) => (place === 0 ? { lie: 'digit' } : { fail }))
      const started = performance.now()
      assert.equal(failureOf(await narrate()).failed, 'unverified')
      assert.ok(performance.now() - started < DEADLINE_MS + SLACK_MS)
      assert.equal(server.requests.length, 2)
    }
  })

  it('runs the checker on the text as a person reads it, and discards what it does not account for', async () => {
    const seen: string[] = []
    const check = (text: string) => (seen.push(text), [{ text: '12', at: 4, why: 'not a figure' }])
    const { failed } = failureOf(await narrate(input, check))
    assert.equal(failed, 'unverified')
    assert.match(seen[0] ?? '', /^The clinics is 12\./)
    assert.match(server.requests[1]?.body.messages[2]?.content ?? '', /"12" is refused: not a figure/)
  })

  it('never throws: a checker or an asker that does is a failure', async () => {
    const throwing = () => {
      throw new Error(`${KEY} ${QUESTION}`)
    }
    const unchecked = failureOf(await narrate(input, throwing))
    assert.equal(unchecked.failed, 'unverified')
    assertDiscreet(unchecked.reason)
    assertDiscreet(failureOf(await narrator(throwing, open)(input)).reason)
    const stubborn = () => new Promise<never>(() => {})
    const started = performance.now()
    assert.equal(failureOf(await narrator(stubborn, open, { deadlineMs: 100 })(input)).failed, 'unavailable')
    assert.ok(performance.now() - started < 100 + SLACK_MS)
  })

  it('asks nothing where there are no facets', async () => {
    assert.equal(failureOf(await narrate({ ...input, facts: { ...input.facts, facets: [] } })).failed, 'unverified')
    assert.equal(server.requests.length, 0)
  })

  it('gives up on an address where nobody listens, or that is none', async () => {
    for (const baseUrl of ['http://127.0.0.1:1', 'not an address', 'ftp://127.0.0.1']) {
      const ask = modelAsker({ apiKey: KEY, baseUrl, model: 'm' })
      assert.equal(failureOf(await narrator(ask, open, { deadlineMs: 5000 })(input)).failed, 'unavailable')
    }
  })

  it('keeps the key out of what is thrown, also one that no header can hold', async () => {
    for (const apiKey of [KEY, `${KEY}\nx`, `${KEY}é`]) {
      server.behave({ fail: 401 })
      const thrown = await asker(apiKey)({ system: 's', user: 'u' }, new AbortController().signal).then(
        () => assert.fail('passed'),
        (error: unknown) => error,
      )
      assert.ok(thrown instanceof Error && thrown.cause === undefined)
      assertDiscreet(`${thrown.message} ${thrown.stack} ${JSON.stringify(thrown)}`)
    }
  })

  it('ends a call that is aborted before or while it runs', async () => {
    server.behave({ fail: 'hang before headers' })
    await assert.rejects(asker()({ system: 's', user: 'u' }, AbortSignal.abort()), /no answer in time/)
    assert.equal(server.requests.length, 0)
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 50)
    const started = performance.now()
    await assert.rejects(asker()({ system: 's', user: 'u' }, abort.signal), /no answer in time/)
    assert.ok(performance.now() - started < DEADLINE_MS / 2)
  })

  it('takes no answer but a whole message of the assistant, in text, from a model with a name', async () => {
    const changes = [
      { type: 'error' },
      { role: 'user' },
      { stop_reason: null },
      { stop_reason: 'pause_turn' },
      { model: 12 },
      { model: '' },
      { model: '<b>' },
      { content: 'The clinics number {F1}.' },
      { content: [null] },
      { content: [{ type: 'text', text: 12 }] },
      {
        content: [
          { type: 'text', text: '{F1} clinics.' },
          { type: 'tool_use', id: 'a', name: 'b', input: {} },
        ],
      },
    ]
    for (const message of changes) {
      server.behave({ message })
      assert.equal(failureOf(await narrate()).failed, 'unavailable', JSON.stringify(message))
    }
  })

  it('passes over what a model thought before it wrote', async () => {
    const thought = { type: 'thinking', thinking: '12', signature: '' }
    server.behave({ message: { content: [thought, { type: 'text', text: 'The clinics number {F1}.' }] } })
    assert.equal(narrativeOf(await narrate()), 'The clinics number 12.')
  })

  describe('takes nothing from the environment', () => {
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

    it('sends the key and the headers that it was given, and logs nothing', async () => {
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
        narrativeOf(await narrate())
      } finally {
        Object.assign(console, kept)
      }
      assert.deepEqual(logged, [])
      const { headers, body } = server.requests[0] ?? assert.fail('no request')
      assert.equal(headers.authorization, `Bearer ${KEY}`)
      assert.doesNotMatch(JSON.stringify(headers), /of-the-environment/)
      assert.deepEqual(Object.keys(body).sort(), ['max_tokens', 'messages', 'model', 'system'])
      assert.equal(body.model, 'claude-asked')
    })

    it("asks at the SDK's own address where none is set", async () => {
      const real = globalThis.fetch
      const asked: string[] = []
      globalThis.fetch = (url) => (
        asked.push(url instanceof Request ? url.url : String(url)),
        Promise.reject(new Error('no network'))
      )
      try {
        await narrator(modelAsker({ apiKey: KEY, baseUrl: undefined, model: 'm' }), open)(input)
      } finally {
        globalThis.fetch = real
      }
      assert.deepEqual(asked, ['https://api.anthropic.com/v1/messages'])
    })
  })
})

function assertDiscreet(text: string): void {
  for (const secret of [KEY, QUESTION, 'clinics', 'Cropland', '1,234']) {
    assert.ok(!text.includes(secret), `${secret} in ${text}`)
  }
}
