import assert from 'node:assert/strict'
import { ask, errorOf, service, startService } from '../support/service.js'
import { connect, ERAS, post, type ToolResult } from './agent.js'

type Frame = { id: string }
type Message = { id?: unknown; error?: { code: number; message: string }; result?: ToolResult }

const place = () => ({ url: service().url, secret: service().secret })
const NAMES = ['frame_at', 'frames', 'units', 'datasets', 'totals', 'records', 'ask', 'verify']

/** Calls of each tool, with what their texts say. */
const ANSWERS: [tool: string, given: Record<string, unknown>, said: RegExp][] = [
  ['frame_at', { lat: 0.105, lon: 0.205 }, /^Frame 324378020: LAKE ISLAND, LAKESIDE, MAREMBE\.$/],
  ['frames', { bbox: '0.2,0.1,0.6,0.5' }, /^Frame \d+: [^]*\nMore touch the box: ask for a smaller one\.$/],
  ['units', {}, /^MAREMBE: 6474 frames$/m],
  ['units', { state: 'marembe' }, /^LAKESIDE: \d+ frames$/m],
  ['datasets', {}, /^lyr_population: Population \(Population, frames\)$/m],
  ['records', { ids: '322074005' }, /lyr_population: .*pop_demest26 10782/],
  ['ask', { state: 'marembe', question: 'which LGA has the most people' }, /^Marembe North has the most people \(2026 estimate\) of all LGAs of Marembe: [\d,]+ \(between/],
  ['ask', { bbox: '0.2,0.1,0.6,0.5', question: 'how many schools are there' }, /^This area has \d+ schools\./],
  ['ask', { frameIds: ['322074005', '322074006'], question: 'how many people live here' }, /^These frames have 20,269 people[^]*\(Population, pop_demest26\)/],
] // prettier-ignore

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
          const call = async (name: string, given: Record<string, unknown>, said: RegExp) => {
            const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
            assert.equal(isError, undefined, JSON.stringify(content))
            const [text] = content
            assert.match(text?.type === 'text' ? text.text : '', said)
            return structuredContent as Record<string, unknown>
          }
          const answers: Record<string, unknown>[] = []
          for (const [name, given, said] of ANSWERS) answers.push(await call(name, given, said))
          const page = answers[1] as { frames: Frame[] }
          assert.equal(page.frames.length, 100, 'a tool gives fewer than a call where none are asked for')
          const [unit, , answer] = answers.slice(-3)
          assert.deepEqual([unit?.['place'], unit?.['frames'], unit?.['frameIds']], [{ unit: ['MAREMBE'] }, 6474, []])
          assert.ok(Array.isArray(answer?.['sources']))
          await call('verify', { text: 'Of 6,474 frames.', answer: unit }, /^Every number is accounted for\.$/)
          await call('verify', { text: 'It has 20,269 people.', answer }, /^Every number is accounted for\.$/)
          await call('verify', { text: 'It has 20,268 people.', answer }, /"20,268" \(character 8\): no figure/)
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

  it('lists the tools in less than 20 kB, which a model reads before its first call', async () => {
    const { text } = await post(place(), '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    assert.ok(Buffer.byteLength(text) < 20_000, `${Buffer.byteLength(text)} bytes`)
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
