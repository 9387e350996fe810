/** Requests that never reach Express: the errors for them, and an answer where Node offers no response object. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, invalid } from '../core/errors.js'
import { errorJson } from '../api/http/send-error.js'

/** How long a refused connection stays open for the client to read the answer. */
const LINGER_MS = 1000

const HOST = 'host'

/** Node accepts these requests, but a proxy in front may read them otherwise (RFC 9112, sections 3.2 and 6.1). */
export function headerFault({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
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
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalid('The request did not arrive in time.', 408)
  return invalid('This is not HTTP that can be read.')
}

/** Writes the answer onto the socket itself, and hangs up. */
export function refuseConnection(socket: Duplex, error: ApiError): void {
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
