import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { service } from '../support/service.js'
import { blocks, curlsOf, page, pasted, section } from './curls.js'

const agents = page('docs/agents.md')

type Settings = { url: string; headers: Record<string, string>; args: string[]; env: { AUTHORIZATION: string } }

/** The settings of a client, with the address and the key of the test. */
function settings(place: number): Settings {
  const text = (blocks(agents, 'json')[place] ?? '')
    .replace('http://127.0.0.1:3000', service().url)
    .replace('svc_sk_...', service().secret)
  return (JSON.parse(text) as { mcpServers: { frames: Settings } }).mcpServers.frames
}

describe('the page for agents', function () {
  this.timeout(60_000)

  const namesAt = async (url: string | undefined, headers: Record<string, string>) => {
    const client = new Client({ name: 'tests', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url ?? ''), { requestInit: { headers } }))
    try {
      return (await client.listTools()).tools.map(({ name }) => name)
    } finally {
      await client.close()
    }
  }
  const rows = [...section(agents, '## The tools').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)

  it('has settings with which a client finds the tools over HTTP', async () => {
    const { url, headers } = settings(0)
    assert.deepEqual(await namesAt(url, headers), rows)
  })

  // mcp-remote replaces ${AUTHORIZATION} by what the environment has.
  it('has settings with which mcp-remote finds them', async () => {
    const { args, env } = settings(1)
    assert.deepEqual(
      [args.slice(0, 2), args.slice(3)],
      [
        ['-y', 'mcp-remote'],
        ['--header', 'Authorization:${AUTHORIZATION}'],
      ],
    )
    assert.deepEqual(await namesAt(args[2], env), rows)
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
