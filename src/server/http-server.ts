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
import { watchUnread } from './unread.js'

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
  stallMs: 60_000,
  bytesPerSecond: 1024,
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
  server.maxConnections = options.connectionsMax
  // There is no limit: Node silently drops headers past one, such as a second Host or the key. 16 KiB bound them in
  // all.
  server.maxHeadersCount = 0
  const unread = watchUnread(server, options)
  options.watchUnreadBytes(unread.bytes)
  const stopping = new AbortController()
  const connections = pipeline((req, res) => {
    unread.add(res)
    if (stopping.signal.aborted && connections.isLast(res)) res.setHeader('Connection', 'close')
    app(req, res)
  })
  const turns = watchLateTurns()
  server.once('close', turns.stop)
  const context: ServerContext = {
    server,
    options,
    unread,
    connections,
    turns,
    stopping,
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
  server: Server
  options: ServerOptions
  unread: ReturnType<typeof watchUnread>
  connections: ReturnType<typeof pipeline>
  turns: LateTurns
  /** Aborted once the server was told to stop. */
  stopping: AbortController
  /** Aborted once the server ends without answering what is open. */
  cutting: AbortController
}

function handleEvents(context: ServerContext): void {
  const { server, connections, options, turns } = context
  /** Requests of clients that were given time again, by their sockets; undefined until the headers are there. */
  const spared = new Map<Duplex, IncomingMessage | undefined>()
  server.on('request', (req, res) => {
    if (spared.has(req.socket)) spared.set(req.socket, req)
    connections.add(req, res, headerFault(req))
  })
  server.on('checkExpectation', (req, res) => connections.add(req, res, expectationFailed()))
  server.on('connect', (_req, socket: Duplex) => connections.end(socket, notAProxy()))
  const endSlow = (socket: Duplex) => {
    options.onDrop('slow_request')
    connections.end(socket, brokenHttp(REQUEST_TIMEOUT))
  }
  /** Node checks a connection once for each request: the second check is ours. */
  const spare = (socket: Duplex) => {
    spared.set(socket, undefined)
    const again = setTimeout(() => {
      const req = spared.get(socket)
      spared.delete(socket)
      if (!req?.complete && !socket.destroyed) endSlow(socket)
    }, options.requestTimes.wholeMs)
    again.unref()
    socket.once('close', () => {
      clearTimeout(again)
      spared.delete(socket)
    })
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === REQUEST_TIMEOUT) return turns.wasLate() && !spared.has(socket) ? spare(socket) : endSlow(socket)
    if (error.code?.startsWith('HPE_') && error.code !== ENDED_INSIDE_REQUEST) options.onDrop('broken_request')
    connections.end(socket, brokenHttp(error.code))
  })
  server.on('drop', () => {
    options.onDrop('connection_limit')
    closeIdle(context)
  })
}

const closeIdle = ({ server, unread }: ServerContext) => unread.keepUnread(() => server.closeIdleConnections())

async function drain(context: ServerContext): Promise<void> {
  const { server, options, unread, connections, stopping, cutting } = context
  stopping.abort()
  for (const res of unread.open()) if (!res.headersSent && connections.isLast(res)) res.setHeader('Connection', 'close')
  await sleep(options.drainMs, undefined, { signal: cutting.signal }).catch(() => {})
  const closed = new Promise((done) => unread.keepUnread(() => server.close(done)))
  // A connection stays open where the headers of its answer had gone out before the stop.
  const idle = setInterval(() => closeIdle(context), 50)
  await closed
  clearInterval(idle)
}

function cut({ server, unread, connections, cutting }: ServerContext): number {
  const unanswered = unread.open().length + connections.waiting()
  cutting.abort()
  server.closeAllConnections()
  return unanswered
}

/** How long a refused connection stays open for the client to read the answer. */
const LINGER_MS = 1000

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

/** Writes the answer onto the socket itself, and hangs up. */
function refuseConnection(socket: Duplex, error: ApiError): void {
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
  // A socket that is destroyed at once may lose the answer. The timer ends one whose client never hangs up.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * Handles the requests of a connection one at a time: a pipelined request waits until the client has read the answer
 * before it.
 * Node would hand over all of them at once, and keep all their answers in memory for a client that does not read.
 */

/** How many requests of a connection may wait: Node has parsed them before the connection can be paused. */
export const PIPELINED_MAX = 100

/** `refusal`: the answer to a request that is not handled. */
type PipelinedRequest = { req: IncomingMessage; res: ServerResponse; refusal: ApiError | undefined }
type PipelinedConnection = {
  current: ServerResponse | undefined
  queue: PipelinedRequest[]
  /** Ends the connection after the answers that are due. */
  lastError: ApiError | undefined
  isRefused: boolean
}
type State = {
  handle: (req: IncomingMessage, res: ServerResponse) => void
  connections: WeakMap<Duplex, PipelinedConnection>
  waiting: number
}

function pipeline(handle: State['handle']) {
  const state: State = { handle, connections: new WeakMap(), waiting: 0 }
  return {
    add: (req: IncomingMessage, res: ServerResponse, refusal?: ApiError): void => {
      const connection = connectionOf(state, req.socket)
      if (connection.lastError || connection.isRefused) return
      if (!connection.current) return begin(state, connection, { req, res, refusal })
      req.socket.pause()
      if (connection.queue.length >= PIPELINED_MAX) {
        connection.lastError = invalid(`More than ${PIPELINED_MAX} requests of this connection wait for their answers.`)
        return
      }
      connection.queue.push({ req, res, refusal })
      state.waiting += 1
    },
    /**
     * Ends a connection that cannot be read further, after the answers that are due and never inside one. A request
     * whose own body cannot be read is due no answer.
     */
    end: (socket: Duplex, error: ApiError): void => {
      const connection = connectionOf(state, socket)
      if (connection.current?.req.complete && socket.writable) connection.lastError ??= error
      else refuseOnce(connection, socket, error)
    },
    isLast: ({ req }: ServerResponse): boolean => connectionOf(state, req.socket).queue.length === 0,
    waiting: () => state.waiting,
  }
}

function connectionOf(state: State, socket: Duplex): PipelinedConnection {
  const known = state.connections.get(socket)
  if (known) return known
  const connection: PipelinedConnection = { current: undefined, queue: [], lastError: undefined, isRefused: false }
  state.connections.set(socket, connection)
  socket.once('close', () => {
    state.waiting -= connection.queue.length
    connection.queue = []
  })
  return connection
}

function begin(state: State, connection: PipelinedConnection, { req, res, refusal }: PipelinedRequest): void {
  const error = refusal ?? (req.complete ? undefined : connection.lastError)
  if (error) return refuseOnce(connection, req.socket, error)
  connection.current = res
  res.once('close', () => beginNext(state, connection, req.socket))
  state.handle(req, res)
}

function beginNext(state: State, connection: PipelinedConnection, socket: Duplex): void {
  connection.current = undefined
  if (socket.destroyed) return
  const next = connection.queue.shift()
  if (next) {
    state.waiting -= 1
    begin(state, connection, next)
  } else if (connection.lastError) refuseOnce(connection, socket, connection.lastError)
  if (connection.queue.length === 0 && socket.isPaused()) socket.resume()
}

function refuseOnce(connection: PipelinedConnection, socket: Duplex, error: ApiError): void {
  if (connection.isRefused) return
  connection.isRefused = true
  refuseConnection(socket, error)
}

const TICK_MS = 100
const LATE_MS = 500

type LateTurns = { wasLate: () => boolean; stop: () => void }

/** Tells whether the process was late: what clients sent meanwhile waits in the kernel, and they are not slow. */
function watchLateTurns(): LateTurns {
  let lastTick = performance.now()
  let lateAt = -Infinity
  const isOver = (since: number) => performance.now() - since > LATE_MS
  const timer = setInterval(() => {
    if (isOver(lastTick)) lateAt = performance.now()
    lastTick = performance.now()
  }, TICK_MS)
  timer.unref()
  return {
    // The check of Node may run before this timer, or after it.
    wasLate: () => isOver(lastTick) || !isOver(lateAt),
    stop: () => clearInterval(timer),
  }
}
