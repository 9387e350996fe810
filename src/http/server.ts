/** The HTTP server: limits on slow clients, the envelope on broken HTTP too, and an end that loses no request. */
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { ApiError, invalid } from '../errors.js'
import { errorJson } from './send-error.js'

/** How long keep-alive clients are told to close before the listener does. */
const DRAIN_MS = 1000

export type Running = { server: Server; port: number; close: () => Promise<void> }

export async function serve(app: Express, host: string, port: number): Promise<Running> {
  let draining = false
  const server = createServer({
    headersTimeout: 3000,
    requestTimeout: 5000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
  })
  server.on('request', (req, res) => {
    if (draining) res.setHeader('Connection', 'close')
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      refuse(req.socket, invalid('A Host header is needed.'))
    } else app(req, res)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => refuse(socket, brokenHttp(error.code)))
  server.on('checkExpectation', (req) => {
    refuse(req.socket, invalid('Of Expect, only 100-continue is accepted.', 417))
  })
  server.on('connect', (_req, socket: Duplex) => {
    refuse(
      socket,
      new ApiError(405, 'invalid', 'This server is not a proxy; CONNECT was sent.', { Allow: 'GET, HEAD' }),
    )
  })
  await listen(server, host, port)
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      draining = true
      await new Promise((done) => setTimeout(done, DRAIN_MS))
      server.closeIdleConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((done, refused) => {
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      done()
    })
  })
}

function brokenHttp(code: string | undefined): ApiError {
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
}
