/**
 * The HTTP server: limits on slow clients, the error envelope for broken HTTP too, and a stop that loses no request.
 */
import { createServer, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import type { DropReason } from '../metrics.js'
import { brokenHttp, expectationFailed, headerFault, notAProxy, refuseConnection } from './broken-http.js'
import { listen } from './listen.js'
import { pipeline } from './pipeline.js'
import { expressClasses } from './runtime/prototypes.js'
import { watchUnread, type UnreadOptions } from './unread.js'

/** Node's code where the client ended the connection inside a request. */
const ENDED_INSIDE_REQUEST = 'HPE_INVALID_EOF_STATE'

/** Why the server ended a connection, for the metrics. */

export type ServerOptions = {
  /** How long the server still takes calls after it was told to stop, and tells keep-alive clients to close. */
  drainMs: number
  /** Other processes listen on the same port: a server that stops leaves new connections to them. */
  sharesPort: boolean
  /** How long headers and whole requests may take to come, and how often connections are checked for both. */
  requestTimes: { headersMs: number; wholeMs: number; checkEveryMs: number }
  /** An idle connection costs about 20 kB. Past the limit, the server closes idle ones to make room. */
  connectionsMax: number
  onDrop: (reason: DropReason) => void
  /** Receives the function that tells how many bytes wait to be read by clients. */
  watchUnreadBytes: (bytes: () => number) => void
} & Omit<UnreadOptions, 'onDrop'>

export type Running = {
  server: Server
  port: number
  /** Answers the open requests and those that still come, then ends. */
  close: () => Promise<void>
  /** Closes now. Returns how many requests were cut off. */
  cut: () => number
}

const defaultOptions: ServerOptions = {
  drainMs: 1000,
  sharesPort: false,
  requestTimes: { headersMs: 3000, wholeMs: 5000, checkEveryMs: 1000 },
  connectionsMax: 5000,
  onDrop: () => {},
  watchUnreadBytes: () => {},
  stallMs: 60_000,
  bytesPerSecond: 1024,
  unreadMax: 128 * 1024 * 1024,
}

export async function serve(
  app: Express,
  host: string,
  port: number,
  given: Partial<ServerOptions> = {},
): Promise<Running> {
  const options = { ...defaultOptions, ...given }
  const server = createServer({
    ...expressClasses(app),
    headersTimeout: options.requestTimes.headersMs,
    requestTimeout: options.requestTimes.wholeMs,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: options.requestTimes.checkEveryMs,
    requireHostHeader: false,
  })
  if (options.sharesPort) limitConnections(server, options.connectionsMax)
  else server.maxConnections = options.connectionsMax
  // There is no limit: Node silently drops headers past one, such as a second Host or the key. 16 KiB bound them in
  // all.
  server.maxHeadersCount = 0
  const unread = watchUnread(server, options)
  options.watchUnreadBytes(unread.bytes)
  const stopping = new AbortController()
  const connections = pipeline({
    handle: (req, res) => {
      unread.add(res)
      if (stopping.signal.aborted && connections.isLast(res)) res.setHeader('Connection', 'close')
      app(req, res)
    },
    refuse: refuseConnection,
  })
  const context: ServerContext = { server, options, unread, connections, stopping, cutting: new AbortController() }
  handleEvents(context)
  return {
    server,
    port: await listen(server, host, port, 'PORT'),
    close: () => drain(context),
    cut: () => cut(context),
  }
}

type ServerContext = {
  server: Server
  options: ServerOptions
  unread: ReturnType<typeof watchUnread>
  connections: ReturnType<typeof pipeline>
  /** Aborted once the server was told to stop. */
  stopping: AbortController
  /** Aborted once the server ends without answering what is open. */
  cutting: AbortController
}

function handleEvents(context: ServerContext): void {
  const { server, connections, options } = context
  server.on('request', (req, res) => connections.add(req, res, headerFault(req)))
  server.on('checkExpectation', (req, res) => connections.add(req, res, expectationFailed()))
  server.on('connect', (_req, socket: Duplex) => connections.end(socket, notAProxy()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') options.onDrop('slow_request')
    else if (error.code?.startsWith('HPE_') && error.code !== ENDED_INSIDE_REQUEST) options.onDrop('broken_request')
    connections.end(socket, brokenHttp(error.code))
  })
  server.on('drop', () => {
    options.onDrop('connection_limit')
    closeIdle(context)
  })
}

const closeIdle = ({ server, unread }: ServerContext) => unread.keepUnread(() => server.closeIdleConnections())

/**
 * The primary of Node's cluster offers a connection that `maxConnections` refuses to the next worker, round and round:
 * with all workers full it would do nothing else.
 */
function limitConnections(server: Server, most: number): void {
  let open = 0
  server.on('connection', (socket: Duplex) => {
    open += 1
    socket.once('close', () => (open -= 1))
    if (open <= most) return
    socket.destroy()
    server.emit('drop')
  })
}

async function drain(context: ServerContext): Promise<void> {
  const { server, options, unread, connections, stopping, cutting } = context
  stopping.abort()
  // Unlike its own `close`, this leaves idle connections open: one may be new, and its request on the way.
  if (options.sharesPort) NetServer.prototype.close.call(server)
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
