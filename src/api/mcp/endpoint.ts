/**
 * POST /mcp: the Model Context Protocol over plain requests, without sessions and streams. The checks come in the order
 * of the calls: credential, buckets, capability, parameters, data. A call of a tool spends as its call does, and any
 * other message spends one read. A refused call of a tool is a result of the tool. A refused key is a status of HTTP.
 */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import type { Authority } from '../../core/access/index.js'
import { counted } from '../../core/counted.js'
import { ApiError, invalid } from '../../core/errors.js'
import { bucketsFor, failAsTestKey, requireCapability } from '../http/admit.js'
import { findCaller, keyHashOf } from '../http/authenticate.js'
import { jsonBody } from '../http/body.js'
import { errorJson, faultOf, logFault } from '../http/send-error.js'
import { spend } from '../http/meter.js'
import { sendJsonText } from '../http/send.js'
import type { Services } from '../../services.js'
import { version } from '../../core/version.js'
import { INSTRUCTIONS } from '../tool/descriptions.js'
import { formFault, notJson, refusalOfParams } from './message.js'
import type { ToolSource } from './protocol.js'
import type { JsonObject } from '../tool/schemas.js'
import { type Tool, toolsFor } from '../tool/tools.js'

export function mcpRoute(services: Services, tools: readonly Tool[]): RequestHandler {
  const refuseOtherOrigins = originCheck(services)
  return async (req, res) => {
    refuseOtherOrigins(req)
    const caller = await findCaller(services, keyHashOf(req), req, res)
    const sent: Read = await jsonBody(req, res).then(
      (body) => ({ body }),
      (refusal: unknown) => ({ refusal }),
    )
    const called = 'body' in sent ? calledTool(sent.body) : undefined
    const tool = tools.find(({ name }) => name === called)
    if (tool) req.context.tool = tool.name
    // A message that cannot be read spends as well: the caller's key was looked up for it.
    const spent = await spend(services, services.limiter.spend(bucketsFor(services, caller, tool?.capability)), res)
      .then(() => failAsTestKey(services, caller, tool?.capability, res))
      .then(
        () => sent,
        (refusal: unknown) => ({ ...sent, refusal }),
      )
    await answerMessage({ services, tools, caller, ...spent, req, res })
  }
}

/** A message, or why it cannot be read or handled. */
type Read = { body?: unknown; refusal?: unknown }

/** A page that resolves its own name to this machine could call with the browser's help: its origin gives it away. */
function originCheck({ corsOrigins, ownOrigin }: Services): (req: ExpressRequest) => void {
  const allowed = new Set(corsOrigins)
  return ({ headers: { origin }, socket }) => {
    // The settings say the service's own origin: the Host header would be that of the page's own name.
    if (origin === undefined || allowed.has(origin) || origin === ownOrigin(socket.localPort ?? 0)) return
    throw invalid(`Pages of ${origin.slice(0, 60)} may not call: CORS_ORIGINS of the service does not list them.`, 403)
  }
}

function calledTool(body: unknown): unknown {
  const { method, params } = Object(body) as { method?: unknown; params?: unknown }
  return method === 'tools/call' ? (Object(params) as { name?: unknown }).name : undefined
}

type McpMessage = Read & {
  services: Services
  tools: readonly Tool[]
  caller: Authority
  req: ExpressRequest
  res: Response
}

async function answerMessage(message: McpMessage): Promise<void> {
  const { body, refusal: thrown, req, res } = message
  res.setHeader('Cache-Control', 'no-store')
  if (isOfBody(thrown)) return await refuseMessage(res, notJson(thrown.message))
  if (thrown !== undefined && (req.context.tool === undefined || isNotification(body))) throw thrown
  const fault = formFault(body)
  if (fault !== undefined) return await refuseMessage(res, fault)
  const request = body as Parameters<typeof refusalOfParams>[0]
  const refusal = refusalOfParams(request)
  if (refusal !== undefined) return await sendJsonText(res, refusal)
  const protocol = await import('./protocol.js')
  const headers = Object.fromEntries(
    Object.entries(req.headers).filter(([name, value]) => name.startsWith('mcp-') && typeof value === 'string'),
  ) as Record<string, string>
  const response = await protocol.responseTo(sourceFor(message), headers, request)
  const text = await response.text()
  res.status(response.status)
  if (text === '') return void res.end()
  await sendJsonText(res, text)
}

/** The body cannot be read: it is no JSON, too long, or of another content type. */
const isOfBody = (thrown: unknown): thrown is ApiError => thrown instanceof ApiError && thrown.code === 'invalid_body'

/** JSON-RPC has errors of its own for what is none of its messages. */
async function refuseMessage(res: Response, text: string): Promise<void> {
  res.req.context.outcome = 'invalid_body'
  res.status(400)
  await sendJsonText(res, text)
}

/** The protocol answers a notification with 202, or with a status that refuses it: it has no result. */
const isNotification = (body: unknown): boolean => (Object(body) as { id?: unknown }).id === undefined

const sourceFor = (message: McpMessage): ToolSource => ({
  version,
  instructions: INSTRUCTIONS,
  list: async () => toolsFor(message.tools, message.caller),
  call: async (name, given) => {
    const tool = message.tools.find((each) => each.name === name)
    if (!tool) return undefined
    try {
      return await callTool(tool, given, message)
    } catch (thrown) {
      return refused(message, thrown)
    }
  },
})

async function callTool({ capability, run }: Tool, given: JsonObject, { caller, refusal, req, res }: McpMessage) {
  if (refusal !== undefined) throw refusal
  if (capability) requireCapability(caller, capability)
  const answered = await run(given, { caller, req, res })
  // After the client hung up there is nobody to answer.
  const { data, text } = answered ?? { data: {}, text: '' }
  return { content: [{ type: 'text' as const, text }], structuredContent: data as JsonObject }
}

/** The envelope of a failure, as the result of a tool. */
function refused({ services, req }: McpMessage, thrown: unknown) {
  const error = thrown instanceof ApiError ? thrown : faultOf(thrown)
  if (!(thrown instanceof ApiError)) logFault(services.log, req, thrown)
  req.context.outcome = error.code
  req.context.toolStatus = error.status
  const envelope = JSON.parse(errorJson(error)) as { error: { code: string; message: string } }
  const header = error.headers['Retry-After']
  const seconds = header === undefined ? undefined : Number(header)
  const wait = seconds === undefined ? '' : ` Try again in ${counted(seconds, 'second')}, not sooner.`
  const { code, message } = envelope.error
  return {
    isError: true,
    content: [{ type: 'text' as const, text: `${code}: ${message}${wait}` }],
    // Clients before revision 2026-07-28 hold structuredContent to the schema of an answer, also that of a refusal.
    _meta: { ...envelope, ...(seconds === undefined ? {} : { retryAfter: seconds }) },
  }
}
