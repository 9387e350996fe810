/** Checks a message of JSON-RPC before the protocol's package reads it. */
import { invalidBody } from '../errors.js'

type Message = { id?: unknown; method: string; params?: unknown }

/** Only the first message of a batch would be metered. A notification or a request has a method; an answer has none. */
export function messageIn(body: unknown): Message {
  const { jsonrpc, method } = Object(body) as { jsonrpc?: unknown; method?: unknown }
  if (Array.isArray(body)) throw invalidBody('One message of JSON-RPC is accepted, a batch came.')
  if (jsonrpc === '2.0' && typeof method === 'string') return body as Message
  throw invalidBody('A message of JSON-RPC 2.0 with a method is accepted: docs/agents.md has examples.')
}

const INVALID_PARAMS = -32602

/**
 * Answers a request whose params are wrong. The package would answer with the report of its validator, and call a bad
 * handshake an internal error.
 */
export function refusalOfParams({ id, method, params }: Message): string | undefined {
  if (typeof id !== 'string' && !Number.isInteger(id)) return undefined
  const message =
    method === 'initialize' ? handshakeFault(params) : method === 'tools/call' ? callFault(params) : undefined
  return message && JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } })
}

function handshakeFault(params: unknown): string | undefined {
  const { protocolVersion, capabilities, clientInfo } = Object(params) as Record<string, unknown>
  const { name, version } = Object(clientInfo) as Record<string, unknown>
  const hasTexts = [protocolVersion, name, version].every((each) => typeof each === 'string')
  return hasTexts && isObject(capabilities)
    ? undefined
    : 'initialize: params with protocolVersion (a text), capabilities (an object) and clientInfo (with name and version) are accepted.'
}

function callFault(params: unknown): string | undefined {
  const { name, arguments: given } = Object(params) as Record<string, unknown>
  if (typeof name !== 'string') return 'tools/call: params with the name of a tool (a text) are accepted.'
  if (given === undefined || isObject(given)) return undefined
  return 'tools/call: arguments are accepted as an object, such as {"lat": 0.105, "lon": 0.205}.'
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
