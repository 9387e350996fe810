/** The HTTP server: limits on slow clients, the envelope on broken HTTP too, and an end that loses no request. */
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import { ApiError, invalid } from '../errors.js'
import { listen } from './listen.js'
import { pipeline } from './pipeline.js'
import { messagesOf } from './runtime/prototypes.js'
import { errorJson } from '../http/error-json.js'
import { watchUnread, type UnreadOptions } from './unread.js'

/** The client ended the connection inside a request. */
const HUNG_UP = 'HPE_INVALID_EOF_STATE'

/** How long a connection that was refused stays open for its answer to be read. */
const LINGER_MS = 1000

/** Why a connection is ended for what its client did. */
export type Dropped = 'connection_limit' | 'slow_request' | 'slow_reader' | 'unread_limit' | 'broken_request'

export type ServerOptions = {
  /** How long keep-alive clients are told to close before the listener does. */
  drainMs: number
  /** An idle connection costs about 20 kB. Past the limit, idle ones are closed to make room. */
  connectionsMax: number
  dropped: (reason: Dropped) => void
  /** Is given the reading of the bytes that wait to be read by clients. */
  watchUnread: (bytes: () => number) => void
} & Omit<UnreadOptions, 'dropped'>

export type Running = {
  server: Server
  port: number
  /** Answers what is open and what still comes, then ends. */
  close: () => Promise<void>
  /** Ends at once; answers with how many requests go unanswered. */
  cut: () => number
}

const defaults: ServerOptions = {
  drainMs: 1000,
  connectionsMax: 5000,
  dropped: () => {},
  watchUnread: () => {},
  stallMs: 60_000,
  bytesPerSecond: 1024,
  unreadMax: 128 * 1024 * 1024,
}

export async function serve(
  app: Express,
  host: string,
  port: number,
  options: Partial<ServerOptions> = {},
): Promise<Running> {
  const { drainMs, connectionsMax, dropped, ...unreadOptions } = { ...defaults, ...options }
  const cutting = new AbortController()
  let draining = false
  const server = createServer({
    ...messagesOf(app),
    headersTimeout: 3000,
    requestTimeout: 5000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
  })
  const unread = watchUnread(server, { ...unreadOptions, dropped })
  unreadOptions.watchUnread(unread.bytes)
  const connections = pipeline({
    handle: (req, res) => {
      unread.add(res)
      if (draining && connections.isLast(res)) res.setHeader('Connection', 'close')
      app(req, res)
    },
    refuse,
  })
  const closeIdle = () => unread.keeping(() => server.closeIdleConnections())
  server.maxConnections = connectionsMax
  // Node drops headers past the 2,000th without a word: a second Host, or the key. Their 16 KiB bound them.
  server.maxHeadersCount = 0
  server.on('drop', () => {
    dropped('connection_limit')
    closeIdle()
  })
  server.on('request', (req, res) => connections.enter(req, res, faultOf(req)))
  server.on('checkExpectation', (req, res) => connections.enter(req, res, expectationFailed()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') dropped('slow_request')
    else if (error.code?.startsWith('HPE_') && error.code !== HUNG_UP) dropped('broken_request')
    connections.breakOff(socket, brokenHttp(error.code))
  })
  server.on('connect', (_req, socket: Duplex) => connections.breakOff(socket, notAProxy()))
  return {
    server,
    port: await listen(server, host, port, 'PORT'),
    close: async () => {
      draining = true
      for (const res of unread.open())
        if (!res.headersSent && connections.isLast(res)) res.setHeader('Connection', 'close')
      await sleep(drainMs, undefined, { signal: cutting.signal }).catch(() => {})
      const closed = new Promise((done) => unread.keeping(() => server.close(done)))
      // An answer whose headers had gone out before leaves its connection open.
      const idle = setInterval(closeIdle, 50)
      await closed
      clearInterval(idle)
    },
    cut: () => {
      const unanswered = unread.open().length + connections.waiting()
      cutting.abort()
      server.closeAllConnections()
      return unanswered
    },
  }
}

/** Node accepts these requests; other servers on the way may read them otherwise (RFC 9112, sections 3.2 and 6.1). */
function faultOf({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  if (hosts > 1) return invalid(`One Host header is accepted, ${hosts} came.`)
  if (hosts === 0 && httpVersion === '1.1') return invalid('A Host header is needed.')
  const framing = headers['transfer-encoding']
  if (framing !== undefined && (framing.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return invalid('Of Transfer-Encoding, only chunked is accepted, in HTTP/1.1.')
  return undefined
}

export const expectationFailed = () => invalid('Of Expect, only 100-continue is accepted.', 417)

export const notAProxy = () =>
  new ApiError(405, 'invalid', 'This server is not a proxy; CONNECT was sent.', { Allow: 'GET, HEAD' })

/** `code` as Node has it. */
export function brokenHttp(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return invalid('The request line and headers are over 16 KiB.', 431)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalid('The request did not arrive in time.', 408)
  return invalid('This is not HTTP that can be read.')
}

/** Answers by hand, where Node has no response object to offer, and hangs up. */
function refuse(socket: Duplex | Socket, error: ApiError): void {
  if (!socket.writable) return void socket.destroy()
  const body = errorJson(error)
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${randomUUID()}`,
    `Date: ${new Date().toUTCString()}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Destroyed at once, the answer might be lost; a client that does not hang up in turn is not waited for.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
