import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { CAPABILITIES, PRESETS } from '../../src/core/access/capabilities.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { credit } from '../support/datasets.js'
import {
  ask,
  bearer,
  mint,
  newOrganisation,
  service,
  startService,
  type Answer,
  type Minted,
} from '../support/service.js'
import { callTool, postTool, send, type Envelope } from './agent.js'
import { pairs, type Pair } from './pairs.js'

type Running = Awaited<ReturnType<typeof startService>>

/** Each row of keys: what they may do, what they are narrowed to, and the credits of their organisations. */
const keys = [
  { name: 'full read, 100 credits', wanted: {}, credits: 100 },
  { name: 'full read, 1 credit of 2', wanted: {}, credits: 1 },
  { name: 'locality', wanted: { preset: 'locality' }, credits: 100 },
  { name: 'narrowed to one', wanted: { datasets: ['lyr_population'] }, credits: 100 },
  { name: 'narrowed to the priced', wanted: { datasets: ['lyr_market'] }, credits: 2 },
  { name: 'ask.query alone', wanted: { capabilities: ['ask.query'] }, credits: 100 },
  { name: 'layer.read alone', wanted: { capabilities: ['layer.read'] }, credits: 100 },
] as const

/** The tightest bucket and what it holds. The seconds until it holds more depend on the moment. */
const spentOf = ({ headers }: Answer) => [
  headers.get('ratelimit')?.replace(/;t=\d+$/, ''),
  headers.get('ratelimit-policy'),
]

describe('a tool of /mcp and of /tools does what its call of /v1 does', function () {
  this.timeout(120_000)
  let running: Running
  before(async () => {
    const size = { burst: 100, perMinute: 1 }
    const buckets = { key: size, organisation: { burst: 500, perMinute: 1 }, insight: { burst: 50, perMinute: 1 } }
    running = await startService(service().database, { buckets })
  })
  after(() => running.stop())
  afterEach(async () => assert.deepEqual([...(await ledgerFaults(service().db))], []))

  async function newKey({ wanted, credits }: (typeof keys)[number]): Promise<Minted> {
    const org = await newOrganisation(running.db)
    await license(running.db.run, 'lyr_market', org, 2)
    if (credits > 0) await credit(running.db, org, credits)
    const { preset, ...more } = { preset: undefined, ...wanted } as { preset?: 'locality' }
    return await mint(running.db, { org, ...more, ...(preset && { preset }) })
  }

  const entries = async ({ orgId }: Minted) =>
    await running.db.rows<object>(
      `select kind, layer_id, dataset, credits::int as credits, balance::int as balance, key_name
      from credit_statement where org_id = $1::text order by entered_at, layer_id`,
      [orgId],
    )

  const callOf = async ({ tool, path, given }: Pair, { secret }: Minted) =>
    tool === 'ask'
      ? await ask(running.url + path, {
          method: 'POST',
          headers: { ...bearer(secret), 'content-type': 'application/json' },
          body: JSON.stringify(given),
        })
      : await ask(running.url + path, { headers: bearer(secret) })

  /** A tool gives frames without their geometries, those of a collection as /v1 gives them by their ids. */
  async function shownFrames(data: unknown): Promise<unknown> {
    if (Array.isArray(data)) return data.map(({ geometry: _geometry, ...frame }: { geometry: object }) => frame)
    const { type: _type, features, ...more } = data as { type: string; features: { id: string }[] }
    if (features.length === 0) return { frames: [], ...more }
    const path = `/v1/frames?ids=${features.map(({ id }) => id).join()}`
    const { body } = await ask(service().url + path, { headers: bearer(service().secret) })
    return { frames: await shownFrames((body as { data: unknown }).data), ...more }
  }

  for (const key of keys) {
    it(`for a key: ${key.name}`, async () => {
      const [caller, agent, program] = [await newKey(key), await newKey(key), await newKey(key)]
      for (const pair of pairs) {
        const about = `${pair.tool} ${JSON.stringify(pair.given).slice(0, 80)}`
        const called = await callOf(pair, caller)
        const result = await callTool({ url: running.url, secret: agent.secret }, pair.tool, pair.given)
        const plain = await postTool({ url: running.url, secret: program.secret }, pair.tool, pair.given)
        assert.deepEqual(spentOf(plain), spentOf(called), about)
        assert.deepEqual([plain.status, plain.headers.get('cache-control')], [called.status, 'no-store'], about)
        const { data } = called.body as { data?: unknown }
        if (data === undefined) {
          assert.deepEqual(plain.body, called.body, about)
          assert.equal(result.isError, true, about)
          assert.deepEqual(result._meta, called.body, about)
          assert.equal(result.structuredContent, undefined, about)
          const { code, message } = (called.body as Envelope).error
          assert.equal(result.content[0]?.text, `${code}: ${message}`)
        } else {
          assert.equal(result.isError, undefined, about)
          const expected = pair.tool === 'frames' ? await shownFrames(data) : data
          const shown = pair.under === undefined ? expected : { [pair.under]: expected }
          // A tool tells which name is misspelt, too.
          const hint = pair.given['state'] === 'nowhere' ? { hint: 'No state is named nowhere.' } : {}
          assert.deepEqual(result.structuredContent, { ...(shown as object), ...hint }, about)
          assert.deepEqual(plain.body, { data: result.structuredContent }, about)
        }
        assert.deepEqual(spentOf(result.answer), spentOf(called), about)
        assert.deepEqual([result.answer.status, result.answer.headers.get('cache-control')], [200, 'no-store'])
      }
      const charged = await entries(caller)
      assert.deepEqual([...(await entries(agent))], [...charged])
      assert.deepEqual([...(await entries(program))], [...charged])
      const canPay = key.credits > 1 && !/layer.read|to one/.test(key.name)
      assert.equal(
        charged.some((entry) => 'layer_id' in entry && entry.layer_id === 'lyr_market'),
        canPay,
        key.name,
      )
    })
  }

  it('and a key is shown the datasets that its call reads, with their prices', async () => {
    const baselines = ['administrative', 'buildings', 'culture', 'market', 'population', 'terrain', 'urban']
    const features = ['roads', 'schools', 'schools_distance', 'stalls']
    const cases: [wanted: (typeof keys)[number]['wanted'], expected: string[]][] = [
      [{}, [...baselines, ...features].sort((a, b) => a.localeCompare(b))],
      [{ preset: 'locality' }, baselines],
      [{ datasets: ['lyr_population'] }, ['population']],
      [{ datasets: ['lyr_market'] }, ['market']],
    ]
    for (const [wanted, expected] of cases) {
      const { secret } = await newKey({ name: 'full read, 1 credit of 2', wanted, credits: 1 })
      const { structuredContent } = await callTool({ url: running.url, secret }, 'datasets', {})
      const { datasets } = structuredContent as { datasets: { layerId: string; price?: number }[] }
      assert.deepEqual(
        datasets.map(({ layerId, price }) => [layerId, price]),
        expected.map((name) => [`lyr_${name}`, name === 'market' ? 2 : undefined]),
      )
    }
  })

  it('and a key is shown the tools that it may call', async () => {
    const reads = ['frame_at', 'frames', 'units', 'datasets', 'totals', 'records']
    const cases: [readonly string[], string[]][] = [
      [CAPABILITIES, [...reads, 'ask', 'verify']],
      [PRESETS.analyst, [...reads, 'ask', 'verify']],
      [PRESETS.locality, [...reads, 'verify']],
      [['ask.query'], ['ask', 'verify']],
      [['layer.read'], ['verify']],
    ]
    for (const [capabilities, expected] of cases) {
      const { secret } = await mint(running.db, { capabilities: [...capabilities] })
      const { body } = await send({ url: running.url, secret }, 'tools/list')
      const { tools } = (body as { result: { tools: { name: string }[] } }).result
      assert.deepEqual(
        tools.map(({ name }) => name),
        expected,
      )
      const listed = await ask(`${running.url}/tools`, { headers: bearer(secret) })
      assert.deepEqual(listed.body, { data: { tools } })
    }
  })
})
