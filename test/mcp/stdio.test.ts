import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { projectFolder } from '../../src/core/db/statement.js'
import { frames } from '../support/cli.js'
import { startSlowRelay } from '../support/relay.js'
import { service } from '../support/service.js'
import { callTool, ERAS } from './agent.js'

const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))

type Bridge = { client: Client; stderr: () => string }

async function bridge(secret: string, era: keyof typeof ERAS, url: string): Promise<Bridge> {
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

  // The program also takes the address that clients over HTTP take.
  it('gives the tools of /mcp and their answers to the client of the official package', async () => {
    const { secret } = service()
    const { client, stderr } = await bridge(secret, '2026-07-28', `${service().url}/mcp`)
    try {
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['frame_at', 'frames', 'units', 'datasets', 'totals', 'records', 'ask', 'verify'],
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

  it('answers what came before its input ended, prints nothing but messages, and refuses a batch', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'Zoë', version: '1.0.0' } }
    const first = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const call = { method: 'tools/call', params: { name: 'frame_at', arguments: { lat: 0.105, lon: 0.205 } } }
    const messages = [
      [first],
      first,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ...[2, 3, 4].map((id) => ({ jsonrpc: '2.0', id, ...call })),
    ]
    // The answers take longer than the input.
    const slow = await startSlowRelay(service().url, 500)
    try {
      const running = execFile(process.execPath, [program, 'mcp', '--url', slow.url], {
        env: { PATH: process.env['PATH'], FRAMES_KEY: service().secret },
      })
      let [out, err] = ['', '']
      running.stdout?.on('data', (data: string) => (out += data))
      running.stderr?.on('data', (data: string) => (err += data))
      const ended = once(running, 'close')
      const lines = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
      // The cut lies within a character.
      const cut = lines.indexOf('ë') + 1
      running.stdin?.write(lines.subarray(0, cut))
      await sleep(300)
      running.stdin?.end(lines.subarray(cut))
      assert.deepEqual([await ended, err], [[0, null], ''])
      type Answer = { id: number | null; error?: object; result?: { structuredContent?: { id: string } } }
      const [refusal, ...answers] = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Answer)
      assert.deepEqual(
        [refusal?.id, refusal?.error],
        [null, { code: -32600, message: 'One message of JSON-RPC is accepted, a batch came.' }],
      )
      assert.deepEqual(
        answers
          .map(({ id, result }) => [id, result?.structuredContent?.id])
          .toSorted(([one], [other]) => Number(one) - Number(other)),
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

  it('needs a key and an address', async () => {
    const without = await frames(['mcp'], {})
    assert.deepEqual([without.status, without.out], [2, ''])
    assert.match(without.err, /A key is needed/)
    const odd = await frames(['mcp', '--url', 'nowhere'], { FRAMES_KEY: service().secret })
    assert.deepEqual([odd.status, odd.out], [2, ''])
    assert.match(odd.err, /--url: an address such as/)
  })
})
