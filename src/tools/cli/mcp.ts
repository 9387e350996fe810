/** frames mcp: the tools of /mcp on standard input and output, for agents that start a program. */
import { Transform, type TransformCallback } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { INSTRUCTIONS, type ToolDescription } from '../../api/mcp/descriptions.js'
import { formFault, notJson, rpcError } from '../../api/mcp/message.js'
import { serverOf, type ToolSource } from '../../api/mcp/protocol.js'
import { addressOf } from '../../core/origin.js'
import { version } from '../../core/version.js'
import type { Config } from '../../server/config.js'
import { commandOfOneForm, commandForm, UsageError } from './command.js'
import { anyValue } from './values.js'

const mcpOptions = {
  url: {
    value: anyValue('URL', 'an address such as http://127.0.0.1:3000'),
    description: 'where the API is',
    default: 'HOST and PORT of the environment, http://127.0.0.1:3000',
  },
  key: {
    value: anyValue('SECRET', 'the secret of a key'),
    description: 'the key to ask with; in the environment, other users of this machine cannot see it',
    default: 'FRAMES_KEY of the environment',
  },
} as const

export const mcpCommand = commandOfOneForm(
  'serve the tools for agents on standard input and output, through the API',
  commandForm({
    description:
      'Speaks the Model Context Protocol on standard input and output until the input ends, and passes each call of a tool on to /mcp of the API. Nothing else goes to standard output.',
    options: mcpOptions,
    run: async (config, { options: given }) => {
      // Clients over HTTP take the address with /mcp at its end: people give the same one here.
      const url = urlFor(given.url, config).replace(/\/mcp$/, '')
      const source = toolsThrough(url, secretFor(given.key, config))
      // The transport drops the answers under way when its input ends: it gets one that stays open.
      const input = process.stdin.pipe(refuseLines(source), { end: false })
      const transport = new StdioServerTransport(input, process.stdout)
      const server = serveStdio(() => serverOf(source), { transport })
      await finished(process.stdin, { writable: false }).catch(() => undefined)
      await answered(source.underWay)
      await server.close()
    },
  }),
)

function urlFor(option: string | undefined, { host, port }: Config): string {
  const url = option ?? addressOf(host, port)
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`--url: an address such as http://127.0.0.1:3000 is accepted, "${url}" came.`)
  return url.replace(/\/+$/, '')
}

function secretFor(option: string | undefined, { key }: Config): string {
  const secret = option ?? key
  if (secret === undefined) throw new UsageError('A key is needed: FRAMES_KEY in the environment, or --key.')
  return secret
}

/**
 * The transport says nothing about a line that is no message, for which its client would wait for ever. It also answers
 * "initialize" without a call of the API, so this stream checks the address and the key.
 */
function refuseLines({ check }: RemoteTools): Transform {
  let rest = Buffer.alloc(0)
  const passed = async (line: string): Promise<string> => {
    if (line.trim() === '') return ''
    const refusal = await mcpRefusal(line, check)
    if (refusal === undefined) return `${line}\n`
    process.stdout.write(`${refusal}\n`)
    return ''
  }
  const transform = (chunk: Buffer, _encoding: string, done: TransformCallback) => {
    const read = Buffer.concat([rest, chunk])
    const end = read.lastIndexOf('\n') + 1
    rest = read.subarray(end)
    const lines = read.toString('utf8', 0, end).split('\n').slice(0, -1)
    void Promise.all(lines.map(passed)).then((texts) => done(null, texts.join('')), done)
  }
  return new Transform({ transform })
}

const NO_SERVICE = -32000

async function mcpRefusal(line: string, check: RemoteTools['check']): Promise<string | undefined> {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch (error) {
    return notJson(`A line of JSON is accepted: ${(error as Error).message}.`)
  }
  const fault = formFault(message)
  if (fault !== undefined) return fault
  const { method, id } = message as { method?: unknown; id?: unknown }
  if (method !== 'initialize') return undefined
  return await check().then(
    () => undefined,
    (error: Error) => rpcError(id, NO_SERVICE, error.message),
  )
}

/** A message that came last takes a moment until it is counted, and its answer until it is written. */
const SETTLE_MS = 100

/** Each call ends within the limit of its request. */
async function answered(underWay: () => number): Promise<void> {
  for (let isIdle = false; !isIdle;) {
    const wasIdle = underWay() === 0
    await sleep(SETTLE_MS)
    isIdle = wasIdle && underWay() === 0
  }
}

/** A worded answer takes up to 30 seconds. */
const ANSWER_MS = 60_000

type RemoteAnswer = {
  result?: unknown
  /** The code is a number in JSON-RPC, and a word in the API's envelope. */
  error?: { code: number | string; message: string }
}

type RemoteTools = ToolSource & {
  /** Rejects where the address does not answer or the key is not accepted. */
  check: () => Promise<void>
  /** Counts the messages that wait for the API. */
  underWay: () => number
}

function toolsThrough(url: string, key: string): RemoteTools {
  let underWay = 0
  const ask = async (method: string, params: object): Promise<unknown> => {
    underWay += 1
    const message = { jsonrpc: '2.0', id: 1, method, params }
    const { result, error } = await remoteAnswer(url, key, message).finally(() => (underWay -= 1))
    if (typeof error?.code === 'number') throw new ProtocolError(error.code, error.message)
    if (error) throw new Error(`${error.code}: ${error.message}`)
    return result
  }
  return {
    version,
    instructions: INSTRUCTIONS,
    underWay: () => underWay,
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
