import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { projectFolder } from '../../src/core/db/statement.js'
import { service } from '../support/service.js'
import { blocks, curlsOf, page, pasted, section } from './curls.js'

const agents = page('docs/agents.md')

type Settings = {
  url: string
  headers: Record<string, string>
  command: string
  args: string[]
  env: Record<string, string>
}

/** The settings of a client, with the address and the key of the test. */
function settings(place: number): Settings {
  const text = (blocks(agents, 'json')[place] ?? '')
    .replace('http://127.0.0.1:3000', service().url)
    .replace('svc_sk_...', service().secret)
    .replace('/path/to/checkout/', fileURLToPath(projectFolder))
  return (JSON.parse(text) as { mcpServers: { frames: Settings } }).mcpServers.frames
}

describe('the page for agents', function () {
  this.timeout(60_000)

  const namesThrough = async (transport: Parameters<Client['connect']>[0]) => {
    const client = new Client({ name: 'tests', version: '1.0.0' })
    await client.connect(transport)
    try {
      return (await client.listTools()).tools.map(({ name }) => name)
    } finally {
      await client.close()
    }
  }
  const rows = [...section(agents, '## The tools').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)

  it('has settings with which a client finds the tools over HTTP', async () => {
    const { url, headers } = settings(0)
    assert.deepEqual(
      await namesThrough(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })),
      rows,
    )
  })

  it('has settings with which a client starts a program and finds the tools', async () => {
    const { command, args, env } = settings(1)
    assert.equal(command, 'node')
    assert.deepEqual(await namesThrough(new StdioClientTransport({ command: process.execPath, args, env })), rows)
  })

  const lines = curlsOf(section(agents, '## By hand'))
  it('has two lines to paste', () => assert.equal(lines.length, 2))

  for (const line of lines) {
    it(`is right that ${/"method".*\}/.exec(line)?.[0].slice(0, 90)} gets a result`, async () => {
      const text = await pasted(line, service().url, { KEY: service().secret })
      assert.match(text, /^\{"(jsonrpc":"2\.0"|result":)/)
      assert.match(text, /"result":\{/)
      assert.doesNotMatch(text, /"isError":true/)
    })
  }
})
