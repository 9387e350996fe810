/** Checks a message of JSON-RPC before the protocol's package reads it. */
type Message = { id?: unknown; method: string; params?: unknown }

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600

const rpcError = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: idOf(id), error: { code, message } })

const idOf = (id: unknown) => (typeof id === 'string' || Number.isInteger(id) ? id : null)

export const notJson = (reason: string): string => rpcError(null, PARSE_ERROR, reason)

/**
 * The answer to a message that is not a message of JSON-RPC; undefined for one that is. Only the first message of a batch
 * would be metered. A request and a notification have a method, an answer has a result or an error.
 */
export function formFault(body: unknown): string | undefined {
  if (Array.isArray(body)) return rpcError(null, INVALID_REQUEST, 'One message of JSON-RPC is accepted, a batch came.')
  const { jsonrpc, method, result, error, id } = Object(body) as Record<string, unknown>
  const isMessage = typeof method === 'string' || result !== undefined || error !== undefined
  if (jsonrpc === '2.0' && isMessage) return undefined
  return rpcError(
    id,
    INVALID_REQUEST,
    'A message of JSON-RPC 2.0 with a method is accepted: docs/agents.md has examples.',
  )
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
  return message && rpcError(id, INVALID_PARAMS, message)
}

function handshakeFault(params: unknown): string | undefined {
  const { protocolVersion, capabilities, clientInfo } = Object(params) as Record<string, unknown>
  const { name, version } = Object(clientInfo) as Record<string, unknown>
  const hasTexts = [protocolVersion, name, version].every((each) => typeof each === 'string')
  return hasTexts && isJsonObject(capabilities)
    ? undefined
    : 'initialize: params with protocolVersion (a text), capabilities (an object) and clientInfo (with name and version) are accepted.'
}

function callFault(params: unknown): string | undefined {
  const { name, arguments: given } = Object(params) as Record<string, unknown>
  if (typeof name !== 'string') return 'tools/call: params with the name of a tool (a text) are accepted.'
  if (given === undefined || isJsonObject(given)) return undefined
  return 'tools/call: arguments are accepted as an object, such as {"lat": 0.105, "lon": 0.205}.'
}

const isJsonObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
