/** The keys that everybody knows, to test programs with. */
import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { hashSecret, isWellFormed } from '../../src/core/access/secret.js'
import { TEST_SECRETS, testAuthority } from '../../src/core/access/test-keys.js'
import { keyAuthority } from '../../src/core/db/statements.js'
import { readConfig } from '../../src/server/config.js'
import { refusalOf, send } from '../calls/call-rows.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ids } from '../support/datasets.js'
import { page } from '../docs/curls.js'
import { scrape } from '../support/metrics.js'
import { ask, bearer, startService, type Service } from '../support/service.js'

const DATA = `/v1/frames/data?ids=${ids.slice(0, 5).join()}`
/** A call of each door. */
const CALLS = [
  `GET ${DATA}`,
  'GET /v1/frames/at?lat=0.105&lon=0.205',
  `POST /v1/frames/insight {"frameIds":["${ids[0]}"]}`,
  'GET /tools',
  'GET /tools/key',
  'POST /tools/totals {"state":"marembe"}',
  'GET /files',
  'GET /ogc/collections',
  'TOOL frame_at {"lat":0.105,"lon":0.205}',
]
/** A refusal of a tool of /mcp is a result. */
const STATUSES: Record<string, string[]> = {
  '200': ['200', '200'],
  '401': ['401 invalid_key', '401 invalid_key'],
  '403': ['403 insufficient_scope', '200 insufficient_scope'],
  '429': ['429 rate_limited', '200 rate_limited'],
  '500': ['500 internal', '200 internal'],
  credits: ['200', '200'],
}

describe('a key to test with', () => {
  let database: TestDatabase
  let running: Service & { opsUrl: string; stop: () => Promise<void> }
  let sent: string[] = []
  const lines: string[] = []
  /** What the ledger and the counts of calls hold. */
  const written = async () =>
    (
      await database.db.rows(
        `select (select count(*) from credit_entry), (select count(*) from worded_hold), (select count(*) from account),
          (select count(*) from repeated_call), (select count(*) from key_use), (select count(*) from unknown_word)`,
        [],
      )
    )[0]

  before(async () => {
    database = await newDatabase('world')
    for (const [layer, price] of [
      ['lyr_query_b', 3],
      ['lyr_licensed', undefined],
    ] as const)
      await license(database.db.run, layer, 'everyone', price)
    running = await startService(database, {
      testKeys: true,
      ops: true,
      watch: (text) => sent.push(text),
      logged: (line) => lines.push(line),
      wordingUrl: 'http://127.0.0.1:9',
    })
  })
  after(() => running.stop())
  const headers = (purpose: string) => bearer(TEST_SECRETS[purpose] ?? '')

  for (const [purpose, [outcome = '', ofTool = '']] of Object.entries(STATUSES)) {
    it(`for ${purpose} answers ${outcome} at every door, and no database is asked about it`, async () => {
      const before = await written()
      for (const call of CALLS) {
        sent = []
        const answer = await send(call, running, { ...headers(purpose), 'idempotency-key': 'a' })
        const expected = call.startsWith('TOOL') ? ofTool : outcome
        assert.equal(refusalOf(answer).outcome, expected, `${call} ${answer.text.slice(0, 200)}`)
        assert.ok(!sent.includes(keyAuthority.text), call)
        if (!outcome.startsWith('200')) assert.deepEqual(sent, [], call)
        if (outcome.startsWith('429')) assert.equal(answer.headers.get('retry-after') ?? '1', '1')
        assert.equal(answer.headers.has('ratelimit'), !outcome.startsWith('401'), call)
      }
      assert.deepEqual(await written(), before, 'nothing is written')
    })
  }

  const layersOf = async (purpose: string) => {
    const { body } = await ask(running.url + DATA, { headers: headers(purpose) })
    const { frames, charged, leftOut } = (
      body as { data: { frames: { datasets: { layerId: string }[] }[]; charged: unknown; leftOut: object[] } }
    ).data
    const layers = new Set(frames.flatMap(({ datasets }) => datasets.map(({ layerId }) => layerId)))
    return { layers: [...layers].toSorted(), charged, leftOut }
  }

  it('reads what is free for everyone, and nothing that an organisation owns, is licensed or pays for', async () => {
    const free = ['lyr_licensed', 'lyr_open', 'lyr_points', 'lyr_some']
    assert.deepEqual(await layersOf('200'), { layers: free, charged: [], leftOut: [] })
  })

  it('for credits has none for a dataset that everyone may buy, whose records stay away', async () => {
    const { layers, charged, leftOut } = await layersOf('credits')
    assert.deepEqual([layers.includes('lyr_query_b'), charged], [false, []])
    const left = { layerId: 'lyr_query_b', name: 'Name of lyr_query_b', reason: 'insufficient_credits', price: 3 }
    assert.deepEqual(leftOut, [left])
    const { body } = await ask(`${running.url}${DATA}&price=true`, { headers: headers('credits') })
    assert.deepEqual((body as { data: object }).data, {
      frames: [],
      charged: [],
      leftOut: [left],
      price: { credits: 0, datasets: [], balance: 0 },
    })
    const question = `POST /v1/frames/insight {"frameIds":["${ids[0]}"]}`
    const { text } = await send(question, running, headers('credits'))
    assert.match(text, /"notice":"[^"]*worded answers are used up, and there are no credits/)
  })

  it('all of them share the bucket of one organisation, and none spends from that of another', async () => {
    const size = { burst: 3, perMinute: 1 }
    const roomy = { burst: 9000, perMinute: 9000 }
    const buckets = { key: roomy, organisation: size, insight: roomy }
    const small = await startService(database, { testKeys: true, buckets })
    try {
      const status = async (auth: Record<string, string>) =>
        (await ask(`${small.url}/v1/states`, { headers: auth })).status
      assert.deepEqual([await status(headers('200')), await status(headers('500'))], [200, 500])
      assert.deepEqual([await status(headers('credits')), await status(headers('200'))], [200, 429])
      assert.deepEqual([await status(headers('403')), await status(bearer(small.secret))], [429, 200])
    } finally {
      await small.stop()
    }
  })

  it('is told apart in the log and in the metrics', async () => {
    await ask(running.url + DATA, { headers: headers('403') })
    const line = lines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .findLast(({ status }) => status === 403)
    assert.deepEqual([line?.['keyId'], line?.['orgId']], ['key_test_403', 'org_test'])
    const counted = (await scrape(running.opsUrl)).get('frames_test_key_calls_total')?.samples
    for (const of of ['401', '403'])
      assert.ok(counted?.get(`frames_test_key_calls_total{key="${of}",status="${of}"}`), `calls of ${of}`)
  })

  it('is refused where TEST_KEYS is not on, without a statement, and so is one that is mistyped', async () => {
    let asked = 0
    const off = await startService(database, { watch: () => (asked += 1) })
    try {
      asked = 0
      for (const secret of [...Object.values(TEST_SECRETS), 'svc_sk_test_200_0IKSiX', 'svc_sk_test_201_0IKSiY'])
        for (const { url, purpose } of [
          { url: off.url, purpose: 'off' },
          { url: running.url, purpose: 'on' },
        ]) {
          if (purpose === 'on' && testAuthority(hashSecret(secret).toString('hex'))) continue
          const answer = await ask(`${url}/v1/states`, { headers: bearer(secret) })
          assert.equal(refusalOf(answer).outcome, '401 invalid_key', secret)
        }
      assert.equal(asked, 0)
    } finally {
      await off.stop()
    }
  })

  it('is accepted embedded, and with DATABASE_URL where TEST_KEYS says so', () => {
    const url = { DATABASE_URL: 'postgres://frames@localhost/frames' }
    const reads = [{}, { TEST_KEYS: 'off' }, url, { ...url, TEST_KEYS: 'on' }, { ...url, TEST_KEYS: 'off' }]
    assert.deepEqual(
      reads.map((env) => readConfig(env).testKeys),
      [true, false, false, true, false],
    )
    assert.throws(() => readConfig({ TEST_KEYS: 'yes' }), /TEST_KEYS is "yes"; on or off is accepted/)
  })

  it('ends in the checksum of a secret, has the form of none that is minted, and is in the documents', () => {
    const documented = page('docs/keys.md')
    for (const secret of Object.values(TEST_SECRETS)) {
      assert.equal(isWellFormed(secret), false)
      assert.ok(documented.includes(`\`${secret}\``), secret)
    }
  })
})
