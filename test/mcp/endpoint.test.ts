import assert from 'node:assert/strict'
import { ask, errorOf, mint, service, startService } from '../support/service.js'
import { callTool, connect, ERAS, post, type ToolResult } from './agent.js'

type Frame = { id: string }
type Message = { id?: unknown; error?: { code: number; message: string }; result?: ToolResult }

const place = () => ({ url: service().url, secret: service().secret })
const NAMES = ['frame_at', 'frames', 'units', 'datasets', 'totals', 'records', 'ask', 'verify']

describe('POST /mcp', function () {
  this.timeout(120_000)

  for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
    describe(`to the client of the official package, revision ${era}`, () => {
      it('lists the tools, and each answers', async () => {
        const client = await connect(place(), era)
        try {
          assert.equal(client.getNegotiatedProtocolVersion(), era)
          assert.match(client.getInstructions() ?? '', /State no number that a tool did not return/)
          const { tools } = await client.listTools()
          assert.deepEqual(
            tools.map(({ name }) => name),
            NAMES,
          )
          for (const { name, description, inputSchema, annotations } of tools) {
            assert.ok((description ?? '').length > 40 && inputSchema.type === 'object')
            const spends = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
            const reads = { readOnlyHint: true, openWorldHint: false }
            assert.deepEqual(annotations, ['records', 'ask'].includes(name) ? spends : reads)
          }
          const call = async (name: string, given: Record<string, unknown>) => {
            const result = await client.callTool({ name, arguments: given })
            assert.equal(result.isError, undefined, JSON.stringify(result.content))
            const [text] = result.content
            assert.ok(text?.type === 'text' && text.text.length > 0)
            return [text.text, result.structuredContent as Record<string, unknown>] as const
          }
          const [at] = await call('frame_at', { lat: 0.105, lon: 0.205 })
          assert.equal(at, 'Frame 324378020: LAKE ISLAND, LAKESIDE, MAREMBE.')
          const [box, { frames }] = await call('frames', { bbox: '0.2,0.1,0.6,0.5' })
          assert.match(box, /^Frame \d+: [^]*\nMore touch the box: ask for a smaller one\.$/)
          assert.equal((frames as Frame[]).length, 100, 'a tool gives fewer than a call where none are asked for')
          assert.match((await call('units', {}))[0], /^MAREMBE: 6474 frames$/m)
          assert.match((await call('units', { state: 'marembe' }))[0], /^LAKESIDE: \d+ frames$/m)
          assert.match((await call('datasets', {}))[0], /^lyr_population: Population \(Population, frames\)$/m)
          assert.match((await call('records', { ids: '322074005' }))[0], /lyr_population: .*pop_demest26 10782/)
          const [ofUnit, unit] = await call('ask', { state: 'marembe', question: 'which LGA has the most people' })
          assert.match(ofUnit, /^Population, 2026 estimate, total by LGA, highest: [\d,]+ people in \w/)
          assert.deepEqual([unit['place'], unit['frames'], unit['frameIds']], [{ unit: ['MAREMBE'] }, 6474, []])
          assert.equal(
            (await call('verify', { text: 'Of 6,474 frames.', answer: unit }))[0],
            'Every number is accounted for.',
          )
          const [ofBox] = await call('ask', { bbox: '0.2,0.1,0.6,0.5', question: 'how many schools are there' })
          assert.match(ofBox, /^Schools: \d+ \(1,\d+ frames asked\)\./)
          const [headline, answer] = await call('ask', {
            frameIds: ['322074005', '322074006'],
            question: 'how many people live here',
          })
          assert.match(headline, /^Population, 2026 estimate, total: 20,269 people[^]*\(Population, pop_demest26\)/)
          assert.ok(Array.isArray(answer['sources']))
          assert.equal(
            (await call('verify', { text: 'It has 20,269 people.', answer }))[0],
            'Every number is accounted for.',
          )
          assert.match(
            (await call('verify', { text: 'It has 20,268 people.', answer }))[0],
            /"20,268" \(character 8\): no figure/,
          )
        } finally {
          await client.close()
        }
      })

      it('gives refusals as results, and 401 as HTTP', async () => {
        const client = await connect(place(), era)
        const result = await client.callTool({ name: 'frame_at', arguments: { lat: 99, lon: 0 } })
        assert.equal(result.isError, true)
        await assert.rejects(client.callTool({ name: 'nothing' }), /There is no tool "nothing"/)
        await client.close()
        await assert.rejects(connect({ ...place(), secret: 'svc_sk_wrong' }, era), /401|invalid_key/i)
      })
    })
  }
})

describe('a message to /mcp', () => {
  it('is answered as JSON-RPC, with its id and a request id, and is not to be kept', async () => {
    const answer = await post(place(), '{"jsonrpc":"2.0","id":"x7","method":"tools/list"}')
    assert.deepEqual([answer.status, (answer.body as Message).id], [200, 'x7'])
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('mcp-session-id'), null)
    assert.match(answer.headers.get('ratelimit') ?? '', /^"\w+";r=\d+/)
  })

  it('that is none of JSON-RPC gets its error: a batch would be metered once', async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const cases: [string, number, RegExp][] = [
      [`[${call},${call}]`, -32600, /a batch came/],
      ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32600, /JSON-RPC 2\.0/],
      ['{', -32700, /not JSON/],
      [call.replace('"id":1', '"id":1,"id":2'), -32700, /twice/],
      [`{"jsonrpc":"2.0","method":"${'x'.repeat(70_000)}"}`, -32700, /64 KiB/],
    ]
    for (const [body, code, message] of cases) {
      const answer = await post(place(), body)
      const { error } = answer.body as Message
      assert.deepEqual([answer.status, error?.code], [400, code], body.slice(0, 60))
      assert.match(error?.message ?? '', message)
      assert.match(answer.headers.get('ratelimit') ?? '', /r=/, 'it spends a read')
    }
    const plain = await post(place(), call, { 'content-type': 'text/plain' })
    assert.equal((plain.body as Message).error?.code, -32700)
  })

  it('needs a key, in the header alone', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const headers = { 'content-type': 'application/json' }
    const none = await ask(`${service().url}/mcp`, { method: 'POST', headers, body })
    assert.deepEqual([none.status, errorOf(none).code], [401, 'unauthorized'])
    assert.equal(none.headers.get('www-authenticate'), 'Bearer realm="frames"')
    const wrong = await post({ ...place(), secret: `${service().secret.slice(0, -1)}-` }, body)
    assert.deepEqual([wrong.status, errorOf(wrong).code], [401, 'invalid_key'])
    assert.equal(wrong.headers.get('www-authenticate'), 'Bearer realm="frames", error="invalid_token"')
    const { secret, keyId } = await mint(service().db)
    await service().db.rows('update api_key set revoked_at = now() where key_id = $1::text', [keyId])
    assert.equal((await post({ ...place(), secret }, body)).status, 401)
  })

  it('refuses arguments that a call would not notice', async () => {
    const refused = async (name: string, given: object) => {
      const { isError, structuredContent, _meta } = await callTool(place(), name, given)
      assert.equal(isError, true)
      assert.ok(_meta?.error && structuredContent === undefined)
      return _meta.error
    }
    assert.match(
      (await refused('frame_at', { lat: 1, lon: 1, radius: 3 })).message,
      /"radius" is no argument of this tool: lat, lon/,
    )
    assert.equal((await refused('frame_at', { lat: [1], lon: 1 })).code, 'invalid_point')
    assert.match((await refused('records', { ids: [['322074005']] })).message, /ids: a list of texts or numbers/)
    assert.match((await refused('records', { ids: [] })).message, /ids: given without a value/)
    assert.match((await refused('units', { state: ['marembe'] })).message, /state: a list came; one value/)
    assert.match((await refused('frames', { state: 'marembe', geometry: 1 })).message, /geometry: true or false/)
    assert.equal((await refused('frames', { state: '\ud800' })).code, 'invalid')
    assert.equal((await refused('verify', { text: 'x' })).code, 'invalid')
  })
})

describe('pages that call /mcp', () => {
  const PAGE = 'https://agents.example.org'
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

  it('are answered where they come from the service itself', async () => {
    const running = await startService(service().database, {
      publicUrl: 'https://frames.example.org/geo',
    })
    const status = async (origin: string) =>
      (await post({ url: running.url, secret: service().secret }, body, { origin })).status
    try {
      assert.equal(await status('https://frames.example.org'), 200)
      // A name that a page gave to this machine comes in Host, too.
      for (const origin of [new URL(running.url).origin, 'http://frames.example.org', 'https://example.org', 'null'])
        assert.equal(await status(origin), 403)
    } finally {
      await running.stop()
    }
  })

  it('are refused unless CORS_ORIGINS lists their origin: before the key is looked up', async () => {
    let queries = 0
    const running = await startService(service().database, { corsOrigins: [PAGE], watch: () => void (queries += 1) })
    try {
      const from = (origin: string, at = running) => post({ url: at.url, secret: running.secret }, body, { origin })
      const listed = await from(PAGE)
      assert.deepEqual([listed.status, listed.headers.get('access-control-allow-origin')], [200, PAGE])
      const before = queries
      for (const origin of ['http://evil.example.org', 'null', running.url, '']) {
        const answer = await from(origin)
        assert.deepEqual([answer.status, errorOf(answer).code], [403, 'invalid'], origin)
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
      }
      assert.equal(queries, before)
      const asked = { origin: PAGE, 'access-control-request-method': 'POST' }
      const preflight = await ask(`${running.url}/mcp`, { method: 'OPTIONS', headers: asked })
      assert.equal(preflight.status, 204)
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Mcp-Protocol-Version/)
      assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
      const unset = await post(place(), body, { origin: PAGE })
      assert.equal(unset.status, 403)
    } finally {
      await running.stop()
    }
  })
})
