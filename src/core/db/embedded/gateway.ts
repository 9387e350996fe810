/**
 * Fault: PGlite is one session, and its own socket server, pglite-socket 0.2.11, mixes the messages of several clients
 *   in it. Steps: two postgres.js clients that ask at once. Statements get the answers of others, or end with "unnamed
 *   prepared statement does not exist"; one fault inside PGlite stops the server for ever.
 * Link: electric-sql/pglite#1046.
 * Gain: several clients at once. A client holds PGlite from its first message until PGlite is idle again, so no two
 *   clients meet inside a statement or a transaction. The gateway resets the settings that a guest (psql, QGIS) changed
 *   when the guest lets go, and deallocates the statements of a client that disconnects.
 * Delete it when pglite-socket gives each client a session of its own.
 */
import { Buffer } from 'node:buffer'
import { createServer, type Server } from 'node:net'
import { type Client, hasWork, newClient, takeBytes } from './client.js'
import { HEADER_LENGTH, message, takeRound } from './messages.js'

export type Backend = { exec: (message: Uint8Array, onReply: (reply: Uint8Array) => void) => Promise<void> }

/** A guest that leaves a transaction open for longer, while others wait, is disconnected. */
const HOLD_MS = 30_000
const WATCH_TURNS_MS = 1000
const IDLE_STATE = 'I'.charCodeAt(0)

type Turns = {
  waiting: Client[]
  /** The client that has PGlite, from its first message until PGlite is idle. */
  holder: Client | undefined
  heldSince: number
  isServing: boolean
}

type Gateway = { backend: Backend; settings: string; server: Server; turns: Turns }

/** `settings` is SQL that gives the session its settings; `ownName` the application name of this program. */
export function createGateway(backend: Backend, settings: string, ownName: string): Server {
  const turns: Turns = { waiting: [], holder: undefined, heldSince: 0, isServing: false }
  const server = createServer()
  const gateway = { backend, settings, server, turns }
  server.on('connection', (socket) => {
    const client = newClient(socket)
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      takeBytes(client, bytes, ownName)
      if (client.messages.length > 0) queue(gateway, client)
      else if (client.leaves) depart(gateway, client)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => depart(gateway, client))
  })
  const watch = setInterval(() => disconnectHolder(turns), WATCH_TURNS_MS)
  watch.unref()
  server.on('close', () => clearInterval(watch))
  return server
}

function disconnectHolder({ waiting, holder, heldSince, isServing }: Turns): void {
  if (!holder || isServing || performance.now() - heldSince <= HOLD_MS) return
  if (waiting.some((other) => other !== holder)) holder.socket.destroy()
}

function queue(gateway: Gateway, client: Client): void {
  const { waiting } = gateway.turns
  if (!waiting.includes(client)) waiting.push(client)
  void serveAll(gateway)
}

function depart(gateway: Gateway, client: Client): void {
  client.isClosed = true
  client.messages = []
  if (client.prepared.size > 0) queue(gateway, client)
  else void serveAll(gateway)
}

async function serveAll(gateway: Gateway): Promise<void> {
  const { turns } = gateway
  if (turns.isServing) return
  turns.isServing = true
  try {
    for (let client = nextClient(turns); client; client = nextClient(turns)) {
      if (client.isClosed) await cleanUpAfter(gateway, client)
      else await serveRound(gateway, client)
    }
  } finally {
    turns.isServing = false
  }
}

function nextClient({ holder, waiting }: Turns): Client | undefined {
  if (holder) return holder.isClosed || holder.messages.length > 0 ? holder : undefined
  let client = waiting.shift()
  while (client && !hasWork(client)) client = waiting.shift()
  return client
}

async function serveRound(gateway: Gateway, client: Client): Promise<void> {
  const { backend, turns } = gateway
  turns.holder = client
  const round = takeRound(client.messages)
  const send = (bytes: Buffer) => {
    if (!client.isClosed && bytes.length > 0) client.socket.write(bytes)
  }
  const answer = withoutReady(send)
  await backend.exec(round.bytes, (reply) => answer.take(Buffer.from(reply)))
  const ready = answer.ready()
  if (ready && round.endsReady) send(ready)
  turns.heldSince = performance.now()
  if (ready?.[5] === IDLE_STATE) await letGo(gateway, client)
}

/** The session lives on: the next client must not find a statement or a transaction of this one. */
async function cleanUpAfter(gateway: Gateway, client: Client): Promise<void> {
  const { backend, server, turns } = gateway
  await execQuietly(backend, message('S', ''))
  if (turns.holder === client) await execQuietly(backend, message('Q', 'rollback\0'))
  for (const name of client.prepared) {
    if (server.listening) await execQuietly(backend, message('Q', `deallocate ${name}\0`))
  }
  client.prepared.clear()
  await letGo(gateway, client)
}

async function letGo({ backend, settings, turns }: Gateway, client: Client): Promise<void> {
  turns.holder = undefined
  if (client.changesSettings) {
    for (const text of ['reset all', 'reset role', settings]) await execQuietly(backend, message('Q', `${text}\0`))
    client.changesSettings = false
  }
  if (!client.isClosed && client.messages.length > 0 && !turns.waiting.includes(client)) turns.waiting.push(client)
}

const execQuietly = (backend: Backend, bytes: Buffer): Promise<void> => backend.exec(bytes, () => {})

/**
 * Fault: PGlite 0.5.8 sends "ready" at an error and again at the Sync that follows; PostgreSQL sends it once, at the
 *   Sync. Steps: send two statements at once, the first of which fails. The client takes the second "ready" for an
 *   empty answer to the second statement, and each later answer for that of the next statement.
 * Link: electric-sql/pglite#958.
 * Gain: no client gets the answer to another statement. The last "ready" of a round is sent once, at the end of the
 *   round.
 * Delete it when PGlite answers `select nothing` and its Sync with one "ready".
 */
const READY = 'Z'.charCodeAt(0)
const READY_LENGTH = 6

/** Sends answers on, but for each "ready". */
function withoutReady(send: (bytes: Buffer) => void): {
  take: (bytes: Buffer) => void
  /** The last "ready" that came. */
  ready: () => Buffer | undefined
} {
  let ready: Buffer | undefined
  /** The start of a header whose rest has not arrived. */
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of the current message that have not arrived. */
  let left = 0

  function take(more: Buffer): void {
    const bytes = rest.length === 0 ? more : Buffer.concat([rest, more])
    let from = 0
    let at = 0
    for (;;) {
      const step = Math.min(left, bytes.length - at)
      at += step
      left -= step
      const isReady = bytes[at] === READY
      if (bytes.length - at < (isReady ? READY_LENGTH : HEADER_LENGTH)) break
      if (isReady) {
        send(bytes.subarray(from, at))
        ready = bytes.subarray(at, at + READY_LENGTH)
        from = at += READY_LENGTH
      } else left = 1 + bytes.readInt32BE(at + 1)
    }
    send(bytes.subarray(from, at))
    rest = bytes.subarray(at)
  }

  return { take, ready: () => ready }
}
