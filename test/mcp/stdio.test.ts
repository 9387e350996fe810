import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { projectFolder } from '../../src/db/statement.js'
import { frames, framesProcess } from '../support/cli.js'
import { startRelay } from '../support/relay.js'
import { mint, service } from '../support/service.js'
import { callTool, ERAS } from './agent.js'

const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))

type Bridge = { client: Client; stderr: () => string }

async function bridge(secret: string, era: keyof typeof ERAS = '2025-11-25', url = service().url): Promise<Bridge> {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode: ERAS[era] } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--url', url],
    env: { PATH: process.env['PATH'] ?? '', FRAMES_KEY: secret },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (data: Buffer) => (said += data.toString()))
  await client.connect(transport)
  return { client, stderr: () => said }
}

describe('frames mcp', function () {
  this.timeout(120_000)

  for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
    it(`gives the tools of /mcp and their answers to the client of the official package, revision ${era}`, async () => {
      const { secret } = service()
      const { client, stderr } = await bridge(secret, era)
      try {
        const { tools } = await client.listTools()
        assert.deepEqual(
          tools.map(({ name }) => name),
          ['frame_at', 'frames', 'units', 'datasets', 'records', 'ask', 'verify'],
        )
        assert.match(client.getInstructions() ?? '', /State no number that a tool did not return/)
        const calls: [string, Record<string, unknown>][] = [
          ['frame_at', { lat: 0.105, lon: 0.205 }],
          ['frame_at', { lat: 99, lon: 0 }],
          ['units', { state: 'marembe' }],
          ['datasets', {}],
          ['records', { ids: '322074005' }],
          ['ask', { frameIds: ['322074005'], question: 'how many people live here', format: 'figures' }],
        ]
        for (const [name, given] of calls) {
          const { isError, structuredContent, content, _meta } = await client.callTool({ name, arguments: given })
          const direct = await callTool({ url: service().url, secret }, name, given)
          assert.deepEqual(
            [isError, structuredContent, content, _meta?.['error']],
            [direct.isError, direct.structuredContent, direct.content, direct._meta?.error],
          )
        }
        await assert.rejects(client.callTool({ name: 'nothing' }), /There is no tool "nothing"/)
      } finally {
        await client.close()
      }
      assert.equal(stderr(), '')
    })
  }

  it('shows the tools that its key may call', async () => {
    const { secret } = await mint(service().db, { preset: 'locality' })
    const { client } = await bridge(secret)
    try {
      const names = (await client.listTools()).tools.map(({ name }) => name)
      assert.ok(names.includes('verify') && !names.includes('ask'), names.join())
    } finally {
      await client.close()
    }
  })

  it('says at the handshake what is wrong with its key or its address', async () => {
    const cases: [string, string, RegExp][] = [
      ['svc_sk_wrong', service().url, /invalid_key: /],
      [service().secret, 'http://127.0.0.1:9', /http:\/\/127\.0\.0\.1:9 cannot be reached/],
      [service().secret, `${service().url}/v1`, /not_found: /],
    ]
    for (const [secret, url, message] of cases) {
      await assert.rejects(bridge(secret, undefined, url), message)
    }
  })

  it('prints nothing but messages, and ends with its input', async () => {
    // The input of this process is empty.
    const env = { FRAMES_KEY: service().secret }
    assert.deepEqual(await framesProcess(['mcp', '--url', service().url], env), { status: 0, out: '', err: '' })
  })

  it('answers what came before its input ended', async () => {
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tests', version: '1.0.0' } },
      },
      { method: 'notifications/initialized' },
      ...[2, 3, 4].map((id) => ({
        id,
        method: 'tools/call',
        params: { name: 'frame_at', arguments: { lat: 0.105, lon: 0.205 } },
      })),
    ]
    // The answers take longer than the input.
    const slow = await startRelay(service().url, async () => {
      await sleep(500)
      return true
    })
    try {
      const running = execFile(process.execPath, [program, 'mcp', '--url', slow.url], {
        env: { PATH: process.env['PATH'], FRAMES_KEY: service().secret },
      })
      let out = ''
      running.stdout?.on('data', (data: string) => (out += data))
      const ended = once(running, 'close')
      running.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
      assert.deepEqual(await ended, [0, null])
      const answers = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; result?: { structuredContent?: { id: string } } })
      assert.deepEqual(
        answers
          .map(({ id, result }) => [id, result?.structuredContent?.id])
          .toSorted(([one = 0], [other = 0]) => Number(one) - Number(other)),
        [
          [1, undefined],
          [2, '324378020'],
          [3, '324378020'],
          [4, '324378020'],
        ],
      )
    } finally {
      await slow.close()
    }
  })

  it('takes the address that clients over HTTP take', async () => {
    const { client } = await bridge(service().secret, undefined, `${service().url}/mcp`)
    try {
      assert.equal((await client.listTools()).tools.length, 7)
    } finally {
      await client.close()
    }
  })

  it('refuses a batch, and goes on', async () => {
    const running = execFile(process.execPath, [program, 'mcp', '--url', service().url], {
      env: { PATH: process.env['PATH'], FRAMES_KEY: service().secret },
    })
    let out = ''
    running.stdout?.on('data', (data: string) => (out += data))
    const ended = once(running, 'close')
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'Zoë', version: '1' } }
    const first = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const lines = Buffer.from(`[${JSON.stringify(first)}]\n${JSON.stringify(first)}\n`)
    // The cut lies within a character.
    const cut = lines.indexOf('ë') + 1
    running.stdin?.write(lines.subarray(0, cut))
    await sleep(300)
    running.stdin?.end(lines.subarray(cut))
    assert.deepEqual(await ended, [0, null])
    const [refusal, answer] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: object })
    assert.deepEqual(
      [refusal?.id, refusal?.error],
      [null, { code: -32600, message: 'One message of JSON-RPC is accepted, a batch came.' }],
    )
    assert.equal(answer?.id, 1)
  })

  it('needs a key and an address', async () => {
    const without = await frames(['mcp'], {})
    assert.deepEqual([without.status, without.out], [2, ''])
    assert.match(without.err, /A key is needed/)
    const odd = await frames(['mcp', '--url', 'nowhere'], { FRAMES_KEY: service().secret })
    assert.deepEqual([odd.status, odd.out], [2, ''])
    assert.match(odd.err, /--url: an address such as/)
  })
})
