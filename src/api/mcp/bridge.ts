/** Lists and calls the tools of a service through its /mcp, for `frames mcp`. */
import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server'
import { version } from '../../core/version.js'
import { INSTRUCTIONS } from './descriptions.js'
import type { ToolSource } from './protocol.js'
import type { ToolDescription } from './tool.js'

/** A worded answer takes up to 30 seconds. */
const ANSWER_MS = 60_000

type RemoteAnswer = {
  result?: unknown
  /** The code is a number in JSON-RPC, and a word in the API's envelope. */
  error?: { code: number | string; message: string }
}

export type RemoteTools = ToolSource & {
  /** Rejects where the address does not answer or the key is not accepted. */
  check: () => Promise<void>
}

export function toolsThrough(url: string, key: string): RemoteTools {
  const ask = async (method: string, params: object): Promise<unknown> => {
    const { result, error } = await remoteAnswer(url, key, { jsonrpc: '2.0', id: 1, method, params })
    if (typeof error?.code === 'number') throw new ProtocolError(error.code, error.message)
    if (error) throw new Error(`${error.code}: ${error.message}`)
    return result
  }
  return {
    version,
    instructions: INSTRUCTIONS,
    check: async () => void (await ask('ping', {})),
    list: async () => ((await ask('tools/list', {})) as { tools: ToolDescription[] }).tools,
    call: async (name, given) => (await ask('tools/call', { name, arguments: given })) as CallToolResult,
  }
}

async function remoteAnswer(url: string, key: string, message: object): Promise<RemoteAnswer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: { cause?: { code?: string }; message: string }) => {
    throw new Error(`${url} cannot be reached: ${error.cause?.code ?? error.message}.`)
  })
  const text = await response.text()
  try {
    const answer = JSON.parse(text) as RemoteAnswer
    if (answer.result !== undefined || answer.error?.message !== undefined) return answer
  } catch {
    // The error below says so.
  }
  throw new Error(`${url} answered ${response.status} with something that is not the API's: is the address right?`)
}
