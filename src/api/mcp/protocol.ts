/**
 * The Model Context Protocol, by its official package. Each message is answered by a server of its own: no session is
 * kept between two requests.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../tool/schemas.js'
import type { ToolDescription } from '../tool/descriptions.js'

/** Lists and calls the tools. */
export type ToolSource = {
  version: string
  instructions: string
  list: () => Promise<readonly ToolDescription[]>
  /** Undefined: there is no such tool. */
  call: (name: string, given: JsonObject) => Promise<CallToolResult | undefined>
}

/** This version alone has batches, which /mcp refuses: only the first message of one would be metered. */
const WITH_BATCHES = '2025-03-26'
const supportedProtocolVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((offered) => offered !== WITH_BATCHES)

function serverOf({ version, instructions, list, call }: ToolSource): Server {
  const server = new Server(
    { name: 'spatial-frame-index', version },
    { capabilities: { tools: {} }, instructions, supportedProtocolVersions },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: [...(await list())] }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
    const result = await call(name, given)
    if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name.slice(0, 40)}".`)
    return result
  })
  return server
}

/** `headers`: those of the protocol. */
export async function responseTo(source: ToolSource, headers: Record<string, string>, body: object): Promise<Response> {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    // Clients that have no use for streams need not say that they take one.
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  })
  const options = { parsedBody: body }
  if (!(await isLegacyRequest(request, body))) {
    // A subscription would keep its connection for hours. The tools never change while the service runs.
    return await createMcpHandler(() => serverOf(source), { legacy: 'reject', maxSubscriptions: 0 }).fetch(
      request,
      options,
    )
  }
  const server = serverOf(source)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, options)
  } finally {
    await server.close()
  }
}
