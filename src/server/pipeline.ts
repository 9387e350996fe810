/**
 * One request of a connection at a time: a pipelined request is handled once the answer before it was read. Node hands over
 * all that come in one go, and keeps the answers of all of them in memory for a client that does not read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { invalid, type ApiError } from '../errors.js'

/** How many requests of a connection may wait: Node has read them before the connection can be paused. */
export const WAITING_MAX = 100

type Request = { req: IncomingMessage; res: ServerResponse; refusal: ApiError | undefined }
type Connection = {
  current: ServerResponse | undefined
  waiting: Request[]
  /** What ends the connection once the requests before were answered. */
  refusal: ApiError | undefined
  isRefused: boolean
}
type Ways = {
  handle: (req: IncomingMessage, res: ServerResponse) => void
  /** Answers by hand and hangs up. */
  refuse: (socket: Duplex, error: ApiError) => void
}

export function pipeline({ handle, refuse }: Ways) {
  const connections = new WeakMap<Duplex, Connection>()
  let waiting = 0

  function connectionOf(socket: Duplex): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { current: undefined, waiting: [], refusal: undefined, isRefused: false }
    connections.set(socket, connection)
    socket.once('close', () => {
      waiting -= connection.waiting.length
      connection.waiting = []
    })
    return connection
  }

  function begin(connection: Connection, { req, res, refusal }: Request): void {
    const fault = refusal ?? (req.complete ? undefined : connection.refusal)
    if (fault) return end(connection, req.socket, fault)
    connection.current = res
    res.once('close', () => proceed(connection, req.socket))
    handle(req, res)
  }

  function proceed(connection: Connection, socket: Duplex): void {
    connection.current = undefined
    if (socket.destroyed) return
    const next = connection.waiting.shift()
    if (next) {
      waiting -= 1
      begin(connection, next)
    } else if (connection.refusal) end(connection, socket, connection.refusal)
    if (connection.waiting.length === 0 && socket.isPaused()) socket.resume()
  }

  function end(connection: Connection, socket: Duplex, error: ApiError): void {
    if (connection.isRefused) return
    connection.isRefused = true
    refuse(socket, error)
  }

  return {
    /** `refusal`: what the request is answered in its turn, where it is not to be handled. */
    enter: (req: IncomingMessage, res: ServerResponse, refusal?: ApiError): void => {
      const connection = connectionOf(req.socket)
      if (connection.refusal || connection.isRefused) return
      if (!connection.current) return begin(connection, { req, res, refusal })
      req.socket.pause()
      if (connection.waiting.length >= WAITING_MAX) {
        connection.refusal = invalid(`More than ${WAITING_MAX} requests of this connection wait for their answers.`)
        return
      }
      connection.waiting.push({ req, res, refusal })
      waiting += 1
    },
    /**
     * Ends a connection that cannot be read further, after the answers that are due: never in the middle of one. A request
     * whose own body cannot be read has no answer that is due.
     */
    breakOff: (socket: Duplex, error: ApiError): void => {
      const connection = connectionOf(socket)
      if (connection.current?.req.complete && socket.writable) connection.refusal ??= error
      else end(connection, socket, error)
    },
    isLast: ({ req }: ServerResponse): boolean => connectionOf(req.socket).waiting.length === 0,
    waiting: () => waiting,
  }
}
