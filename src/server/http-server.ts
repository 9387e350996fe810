/**
 * The HTTP server: limits on slow clients, the error envelope for broken HTTP too, and a stop that loses no request.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import { errorJson } from '../api/http/send-error.js'
import { ApiError, invalid } from '../core/errors.js'
import type { DropReason } from '../metrics.js'
import { listen } from './listen.js'
import { expressClasses } from './runtime/prototypes.js'
import { boundUnread, hangUp } from './unread.js'

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'
/** Node's code where the client ended the connection inside a request. */
const ENDED_INSIDE_REQUEST = 'HPE_INVALID_EOF_STATE'

const defaultOptions = {
  /** How long the server still takes calls after it was told to stop, and tells keep-alive clients to close. */
  drainMs: 1000,
  /** How long headers and whole requests may take to come, and how often connections are checked for both. */
  requestTimes: { headersMs: 3000, wholeMs: 5000, checkEveryMs: 1000 },
  /** An idle connection costs about 20 kB. Past the limit, the server closes idle ones to make room. */
  connectionsMax: 5000,
  onDrop: (_reason: DropReason): void => {},
  /** Receives the function that tells how many bytes wait to be read by clients. */
  watchUnreadBytes: (_bytes: () => number): void => {},
  /** How long a client may take nothing of its answer: Node compares what waits once in this time. */
  stallMs: 60_000,
  /** Bytes that may wait to be read, over all connections. */
  unreadMax: 128 * 1024 * 1024,
}
export type ServerOptions = typeof defaultOptions

export type Running = Awaited<ReturnType<typeof serve>>

export async function serve(app: Express, host: string, port: number, given: Partial<ServerOptions> = {}) {
  const options = { ...defaultOptions, ...given }
  const server = createServer({
    ...expressClasses(app),
    headersTimeout: options.requestTimes.headersMs,
    requestTimeout: options.requestTimes.wholeMs,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: options.requestTimes.checkEveryMs,
    requireHostHeader: false,
  })
  server.timeout = options.stallMs
  server.maxConnections = options.connectionsMax
  // There is no limit: Node silently drops headers past one, such as a second Host or the key. 16 KiB bound them in
  // all.
  server.maxHeadersCount = 0
  const unread = boundUnread(options)
  options.watchUnreadBytes(unread.bytes)
  const context: ServerContext = {
    app,
    server,
    options,
    unread,
    connections: new WeakMap(),
    stopping: new AbortController(),
    cutting: new AbortController(),
  }
  handleEvents(context)
  return {
    server,
    port: await listen(server, host, port, 'PORT'),
    /** Answers the open requests and those that still come, then ends. */
    close: () => drain(context),
    /** Closes now. Returns how many requests were cut off. */
    cut: () => cut(context),
  }
}

type ServerContext = {
  app: Express
  server: Server
  options: ServerOptions
  unread: ReturnType<typeof boundUnread>
  connections: WeakMap<Duplex, Connection>
  /** Aborted once the server was told to stop. */
  stopping: AbortController
  /** Aborted once the server ends without answering what is open. */
  cutting: AbortController
}

type Connection = {
  /** The request that came last. */
  req: IncomingMessage | undefined
  /** The answer under way, until its last byte is with the kernel. */
  answer: ServerResponse | undefined
  /** Nothing that comes is handled any more. */
  isEnding: boolean
}

function connectionOf({ connections }: ServerContext, socket: Duplex): Connection {
  const known = connections.get(socket)
  if (known) return known
  const connection: Connection = { req: undefined, answer: undefined, isEnding: false }
  connections.set(socket, connection)
  return connection
}

function handleEvents(context: ServerContext): void {
  const { server, options } = context
  server.on('request', (req, res) => take(context, req, res))
  server.on('checkExpectation', (req: IncomingMessage) => end(context, req.socket, expectationFailed()))
  server.on('connect', (_req, socket: Duplex) => end(context, socket, notAProxy()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === REQUEST_TIMEOUT) return endIfSlow(context, socket)
    if (error.code?.startsWith('HPE_') && error.code !== ENDED_INSIDE_REQUEST) options.onDrop('broken_request')
    end(context, socket, brokenHttp(error.code))
  })
  server.on('timeout', (socket) => {
    const { req, answer } = connectionOf(context, socket)
    if (!answer || !req) return void socket.destroy()
    // Where nothing waits for the client, the answer takes its time.
    if (socket.writableLength === 0) return
    options.onDrop('slow_reader')
    hangUp(req, 'slow_reader')
  })
  server.on('drop', () => {
    options.onDrop('connection_limit')
    closeIdle(context)
  })
}

/**
 * A connection has one answer under way. A client that sends the next request without waiting for it gets this answer,
 * and the connection ends: Node would handle a thousand requests of one read, and keep their answers in memory.
 */
function take(context: ServerContext, req: IncomingMessage, res: ServerResponse): void {
  const { app, unread, stopping } = context
  const { socket } = req
  const connection = connectionOf(context, socket)
  if (connection.answer) {
    connection.isEnding = true
    socket.pause()
  }
  if (connection.isEnding) return
  connection.req = req
  const fault = headerFault(req)
  if (fault) return end(context, socket, fault)
  connection.answer = res
  const place = unread.add(res)
  res.once('close', () => {
    unread.remove(place)
    connection.answer = undefined
    if (connection.isEnding) endSoon(socket)
  })
  if (stopping.signal.aborted) res.setHeader('Connection', 'close')
  app(req, res)
}

/**
 * Ends a connection that cannot be read further: after the answer under way and never inside it. A request whose own
 * body cannot be read is due no answer but this.
 */
function end(context: ServerContext, socket: Duplex, error: ApiError): void {
  const connection = connectionOf(context, socket)
  const { isEnding, answer, req } = connection
  connection.isEnding = true
  if (!socket.writable) return void socket.destroy()
  if (isEnding || (answer && (req?.complete || answer.headersSent))) return
  socket.write(refusalText(error))
  endSoon(socket)
}

/**
 * Node asks how long a request took before it reads what came while the process was busy. It asks once for each request,
 * so that one which is not whole after the next read is slow.
 */
function endIfSlow(context: ServerContext, socket: Duplex): void {
  const connection = connectionOf(context, socket)
  const before = connection.req?.complete ? connection.req : undefined
  setImmediate(() => {
    const { req } = connection
    if (socket.destroyed || (req?.complete && req !== before)) return
    context.options.onDrop('slow_request')
    end(context, socket, brokenHttp(REQUEST_TIMEOUT))
  })
}

const closeIdle = ({ server, unread }: ServerContext) => unread.keepUnread(() => server.closeIdleConnections())

async function drain(context: ServerContext): Promise<void> {
  const { server, options, unread, stopping, cutting } = context
  stopping.abort()
  for (const res of unread.open()) if (!res.headersSent) res.setHeader('Connection', 'close')
  await sleep(options.drainMs, undefined, { signal: cutting.signal }).catch(() => {})
  const closed = new Promise((done) => unread.keepUnread(() => server.close(done)))
  // A connection stays open where the headers of its answer had gone out before the stop.
  const idle = setInterval(() => closeIdle(context), 50)
  await closed
  clearInterval(idle)
}

function cut({ server, unread, cutting }: ServerContext): number {
  const unanswered = unread.open().length
  cutting.abort()
  server.closeAllConnections()
  return unanswered
}

const HOST = 'host'

/** Node accepts these requests, but a proxy in front may read them otherwise (RFC 9112, sections 3.2 and 6.1). */
function headerFault({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1
  }
  if (hosts > 1) return invalid(`One Host header is accepted, ${hosts} came.`)
  if (hosts === 0 && httpVersion === '1.1') return invalid('A Host header is needed.')
  const transferEncoding = headers['transfer-encoding']
  if (transferEncoding !== undefined && (transferEncoding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return invalid('Transfer-Encoding: only chunked is accepted, in HTTP/1.1.')
  return undefined
}

export const expectationFailed = () => invalid('Expect: only 100-continue is accepted.', 417)

export const notAProxy = () =>
  new ApiError(405, 'invalid', 'This server is not a proxy; CONNECT was sent.', { Allow: 'GET, HEAD' })

/** `code` is the code of Node's error. */
export function brokenHttp(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return invalid('The request line and headers are over 16 KiB.', 431)
  if (code === REQUEST_TIMEOUT) return invalid('The request did not arrive in time.', 408)
  return invalid('This is not HTTP that can be read.')
}

const refusalText = (error: ApiError): string => {
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
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** How long a connection that ends stays open for the client to read the answer. */
const LINGER_MS = 1000

/** A socket that is destroyed at once may lose the answer. The timer ends one whose client never hangs up. */
function endSoon(socket: Duplex): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
