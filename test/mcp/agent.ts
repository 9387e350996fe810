/** Calls /mcp as agents do: with the client of the official package, or with plain messages. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ask, type Answer } from '../support/service.js'

type Place = { url: string; secret: string }
export type Envelope = { error: { code: string; message: string } }
export type ToolResult = {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: object
  /** A refusal has the envelope here, and no structured content: clients would hold that to the schema of an answer. */
  _meta?: Partial<Envelope> & { retryAfter?: number }
}

/** The revisions of the protocol: with a handshake, and with all that a message needs in the message. */
export const ERAS = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const

export async function connect({ url, secret }: Place, era: keyof typeof ERAS): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode: ERAS[era] } })
  const headers = { authorization: `Bearer ${secret}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

/** Sends a body as it is. */
export const post = ({ url, secret }: Place, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body,
  })

export const send = (place: Place, method: string, params?: object): Promise<Answer> =>
  post(place, JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }))

/** Calls a tool with one plain message. */
export async function callTool(place: Place, name: string, given: object): Promise<ToolResult & { answer: Answer }> {
  const answer = await send(place, 'tools/call', { name, arguments: given })
  const { result } = answer.body as { result?: ToolResult }
  if (!result) throw new Error(`${name} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
  return { ...result, answer }
}

/** Calls a tool by plain HTTP. */
export const postTool = ({ url, secret }: Place, name: string, given: unknown): Promise<Answer> =>
  ask(`${url}/tools/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
