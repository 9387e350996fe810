/** The HTTP server: limits on slow clients, the envelope on broken HTTP too, and an end that loses no request. */
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import { ApiError, invalid } from '../errors.js'
import { places } from '../places.js'
import { listen } from './listen.js'
import { messagesOf } from './prototypes.js'
import { errorJson } from './send-error.js'

/** The client ended the connection inside a request. */
const HUNG_UP = 'HPE_INVALID_EOF_STATE'

/** How long a connection that was refused stays open for its answer to be read. */
const LINGER_MS = 1000

/** Why a connection is ended for what its client did. */
export type Dropped = 'connection_limit' | 'slow_request' | 'slow_reader' | 'broken_request'

export type ServerOptions = {
  /** How long keep-alive clients are told to close before the listener does. */
  drainMs: number
  /** How long a client may take to read an answer: until then it holds memory. */
  readMs: number
  /** An idle connection costs about 20 kB. Past the limit, idle ones are closed to make room. */
  connectionsMax: number
  dropped: (reason: Dropped) => void
}

export type Running = {
  server: Server
  port: number
  /** Answers what is open and what still comes, then ends. */
  close: () => Promise<void>
  /** Ends at once; answers with how many requests go unanswered. */
  cut: () => number
}

const defaults: ServerOptions = { drainMs: 1000, readMs: 20_000, connectionsMax: 5000, dropped: () => {} }

export async function serve(
  app: Express,
  host: string,
  port: number,
  options: Partial<ServerOptions> = {},
): Promise<Running> {
  const { drainMs, readMs, connectionsMax, dropped } = { ...defaults, ...options }
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
  const open = watchOpen(server, readMs, dropped)
  server.maxConnections = connectionsMax
  server.on('drop', () => {
    dropped('connection_limit')
    server.closeIdleConnections()
  })
  server.on('request', (req, res) => {
    open.add(res)
    if (draining) res.setHeader('Connection', 'close')
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      refuse(req.socket, invalid('A Host header is needed.'))
    } else app(req, res)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') dropped('slow_request')
    else if (error.code?.startsWith('HPE_') && error.code !== HUNG_UP) dropped('broken_request')
    refuse(socket, brokenHttp(error.code))
  })
  server.on('checkExpectation', (req) => {
    refuse(req.socket, expectationFailed())
  })
  server.on('connect', (_req, socket: Duplex) => {
    refuse(socket, notAProxy())
  })
  return {
    server,
    port: await listen(server, host, port, 'PORT'),
    close: async () => {
      draining = true
      for (const { res } of open.taken()) if (!res.headersSent) res.setHeader('Connection', 'close')
      await sleep(drainMs, undefined, { signal: cutting.signal }).catch(() => {})
      const closed = new Promise((done) => server.close(done))
      // An answer whose headers had gone out before leaves its connection open.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      await closed
      clearInterval(idle)
    },
    cut: () => {
      const unanswered = open.taken().length
      cutting.abort()
      server.closeAllConnections()
      return unanswered
    },
  }
}

/** The answers that are open, each with the instant at which it was first seen on its way out; late readers are hung up on. */
function watchOpen(server: Server, readMs: number, dropped: ServerOptions['dropped']) {
  const open = places<{ res: ServerResponse; since: number }>()
  const look = setInterval(
    () => {
      const now = performance.now()
      for (const answer of open.taken()) {
        const { socket } = answer.res.req
        if (answer.since === 0) answer.since = answer.res.headersSent ? now : 0
        else if (now - answer.since > readMs && !socket.destroyed) {
          dropped('slow_reader')
          socket.destroy()
        }
      }
    },
    Math.min(1000, readMs / 4),
  )
  look.unref()
  server.once('close', () => clearInterval(look))
  // Of requests sent in one go, Node tells only the response on the wire that the client is gone; the others wait behind it.
  server.on('connection', (socket) => {
    socket.once('close', () => {
      for (const { res } of open.taken()) if (res.req.socket === socket && res.socket === null) res.emit('close')
    })
  })
  return {
    add: (res: ServerResponse) => {
      const place = open.take({ res, since: 0 })
      res.once('close', () => open.leave(place))
    },
    taken: open.taken,
  }
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
    `X-Request-Id: ${randomUUID()}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Destroyed at once, the answer might be lost; a client that does not hang up in turn is not waited for.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
