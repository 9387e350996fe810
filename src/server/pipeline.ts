/**
 * Handles the requests of a connection one at a time: a pipelined request waits until the client has read the answer
 * before it.
 * Node would hand over all of them at once, and keep all their answers in memory for a client that does not read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { invalid, type ApiError } from '../core/errors.js'

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
type PipelineHandlers = {
  handle: (req: IncomingMessage, res: ServerResponse) => void
  /** Writes the error onto the socket and hangs up. */
  refuse: (socket: Duplex, error: ApiError) => void
}
type State = PipelineHandlers & { connections: WeakMap<Duplex, PipelinedConnection>; waiting: number }

export function pipeline(handlers: PipelineHandlers) {
  const state: State = { ...handlers, connections: new WeakMap(), waiting: 0 }
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
      else refuseOnce(state, connection, socket, error)
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
  if (error) return refuseOnce(state, connection, req.socket, error)
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
  } else if (connection.lastError) refuseOnce(state, connection, socket, connection.lastError)
  if (connection.queue.length === 0 && socket.isPaused()) socket.resume()
}

function refuseOnce(state: State, connection: PipelinedConnection, socket: Duplex, error: ApiError): void {
  if (connection.isRefused) return
  connection.isRefused = true
  state.refuse(socket, error)
}
