/**
 * PostgreSQL's wire protocol on a socket, in front of the one backend that PGlite is.
 *
 * A client holds the backend from its first message until PostgreSQL says it is idle again, so no two clients
 * meet inside a statement, a transaction or an unnamed portal. Settings are the backend's: what a guest (psql,
 * QGIS) sets is put back when it lets go. So are prepared statements: those of a client go when it disconnects.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { Buffer } from 'node:buffer'

export type Backend = { exec: (message: Uint8Array, onReply: (reply: Uint8Array) => void) => Promise<void> }

type Client = {
  socket: Socket
  incoming: Buffer
  messages: Buffer[]
  started: boolean
  guest: boolean
  changesSettings: boolean
  /** Names of the statements that it prepared, as SQL writes them. */
  prepared: Set<string>
  /** It said goodbye; until it hangs up, answers are still written. */
  leaves: boolean
  closed: boolean
}

const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const CANCEL_REQUEST = 80877102
const HOLD_MS = 30_000
/** Simple query, sync, function call: PostgreSQL answers these, and only these, with "ready for query". */
const ENDS_A_ROUND = 'QSF'
const settingsChange = /\b(set|reset|discard|set_config|role|authorization)\b/i
const preparation = /\bprepare\s+("(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)/giu
const copyIn = /^(\s|--[^\n]*\n)*copy\b[\s\S]*\bfrom\s+stdin\b/i
const refuseCopy =
  "do $$begin raise feature_not_supported using message = 'the embedded database cannot COPY FROM STDIN', " +
  "hint = 'Use INSERT here, or a PostgreSQL server.'; end$$"

export function createGateway(backend: Backend, settings: string, ownName: string): Server {
  const waiting: Client[] = []
  let holder: Client | undefined
  let heldSince = 0
  let running = false

  const server = createServer((socket) => {
    const client: Client = {
      socket,
      incoming: Buffer.alloc(0),
      messages: [],
      started: false,
      guest: true,
      changesSettings: false,
      prepared: new Set(),
      leaves: false,
      closed: false,
    }
    socket.setNoDelay(true)
    socket.on('data', (data) => {
      client.incoming = client.incoming.length === 0 ? data : Buffer.concat([client.incoming, data])
      takeMessages(client, ownName)
      if (client.messages.length === 0) return client.leaves ? depart(client) : undefined
      if (!waiting.includes(client)) waiting.push(client)
      void run()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => depart(client))
  })

  function depart(client: Client): void {
    client.closed = true
    client.messages = []
    if (client.prepared.size > 0 && !waiting.includes(client)) waiting.push(client)
    void run()
  }

  /** A guest that leaves a transaction open while others wait is shown out. */
  const watch = setInterval(() => {
    if (holder && !running && waiting.some((other) => other !== holder) && performance.now() - heldSince > HOLD_MS) {
      holder.socket.destroy()
    }
  }, 1000)
  watch.unref()
  server.on('close', () => clearInterval(watch))
  return server

  async function run(): Promise<void> {
    if (running) return
    running = true
    try {
      for (let client = next(); client; client = next()) await serve(client)
    } finally {
      running = false
    }
  }

  function next(): Client | undefined {
    if (holder) return holder.closed || holder.messages.length > 0 ? holder : undefined
    const client = waiting.shift()
    const hasWork = client && (client.messages.length > 0 || (client.closed && client.prepared.size > 0))
    return client && !hasWork ? next() : client
  }

  async function serve(client: Client): Promise<void> {
    if (client.closed) {
      await quietly(message('S', ''))
      if (holder === client) await quietly(message('Q', 'rollback\0'))
      // The session lives on: a statement prepared in it would be there for the next client to trip over.
      for (const name of client.prepared) if (server.listening) await quietly(message('Q', `deallocate ${name}\0`))
      client.prepared.clear()
      return await letGo(client)
    }
    holder = client
    const round = takeRound(client)
    const send = (bytes: Buffer) => {
      if (!client.closed && bytes.length > 0) client.socket.write(bytes)
    }
    const replies = withoutReady(send)
    await backend.exec(round.messages, (reply) => replies.take(Buffer.from(reply)))
    const ready = replies.ready()
    if (ready && round.isAnsweredReady) send(ready)
    heldSince = performance.now()
    if (ready?.[5] === idle) await letGo(client)
  }

  async function letGo(client: Client): Promise<void> {
    holder = undefined
    if (client.changesSettings) {
      await quietly(message('Q', 'reset all\0'))
      await quietly(message('Q', 'reset role\0'))
      await quietly(message('Q', `${settings}\0`))
      client.changesSettings = false
    }
    if (!client.closed && client.messages.length > 0 && !waiting.includes(client)) waiting.push(client)
  }

  async function quietly(text: Buffer): Promise<void> {
    await backend.exec(text, () => {})
  }
}

const READY = 'Z'.charCodeAt(0)
const READY_LENGTH = 6
const HEADER_LENGTH = 5
const idle = 'I'.charCodeAt(0)

/** The client's messages up to the first that PostgreSQL answers with "ready", as one. A start is answered so, too. */
function takeRound(client: Client): { messages: Buffer; isAnsweredReady: boolean } {
  const end = client.messages.findIndex((m) => ENDS_A_ROUND.includes(String.fromCharCode(m[0] ?? 0)))
  const isStart = client.messages[0]?.[0] === 0
  const messages = Buffer.concat(client.messages.splice(0, end === -1 ? client.messages.length : end + 1))
  return { messages, isAnsweredReady: end !== -1 || isStart }
}

/**
 * Fault: PGlite 0.5.8 says "ready" at an error and again at the Sync that follows it; PostgreSQL says it once, at the Sync. Steps:
 *   send two statements at once, of which the first fails. The client takes the second "ready" for an empty answer to the second
 *   statement, and each answer after that for the next statement's.
 * Link: electric-sql/pglite, packages/pglite/src/pglite.ts, execProtocolRawStream.
 * Gain: no client gets the answer to another's statement. Each "ready" is kept back, and the last is sent once, at the end of a round.
 * Delete it when PGlite answers `select nothing` and its Sync with one "ready".
 */
function withoutReady(send: (bytes: Buffer) => void): {
  take: (bytes: Buffer) => void
  ready: () => Buffer | undefined
} {
  let ready: Buffer | undefined
  /** A header that has not come whole. */
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes that are still to come of a message. */
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

function message(type: string, body: string): Buffer {
  const text = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(4 + text.length, 1)
  return Buffer.concat([head, text])
}

/** Moves whole messages from the bytes that came in to the client's list. */
function takeMessages(client: Client, ownName: string): void {
  while (client.incoming.length >= (client.started ? 5 : 8)) {
    const length = client.started ? 1 + client.incoming.readInt32BE(1) : client.incoming.readInt32BE(0)
    if (client.incoming.length < length) return
    const whole = client.incoming.subarray(0, length)
    client.incoming = client.incoming.subarray(length)
    if (client.started) takeQuery(client, whole)
    else takeStartup(client, whole, ownName)
  }
}

function takeStartup(client: Client, whole: Buffer, ownName: string): void {
  const code = whole.readInt32BE(4)
  if (code === SSL_REQUEST || code === GSS_REQUEST) client.socket.write('N')
  else if (code === CANCEL_REQUEST) client.socket.destroy()
  else {
    client.started = true
    client.guest = !whole.toString('latin1').includes(`application_name\0${ownName}\0`)
    client.messages.push(whole)
  }
}

function takeQuery(client: Client, whole: Buffer): void {
  const type = String.fromCharCode(whole[0] ?? 0)
  if (type === 'X') {
    client.leaves = true
    return void client.socket.end()
  }
  if (type !== 'Q' && type !== 'P') return void client.messages.push(whole)
  const body = whole.subarray(5)
  const name = type === 'P' ? body.subarray(0, body.indexOf(0) + 1).toString() : ''
  const text = body.subarray(Buffer.byteLength(name), body.indexOf(0, Buffer.byteLength(name))).toString()
  if (client.guest && settingsChange.test(text)) client.changesSettings = true
  if (name.length > 1) client.prepared.add(`"${name.slice(0, -1).replaceAll('"', '""')}"`)
  for (const [, prepared = ''] of text.matchAll(preparation)) client.prepared.add(prepared)
  if (!copyIn.test(text)) client.messages.push(whole)
  else client.messages.push(message(type, type === 'Q' ? `${refuseCopy}\0` : `${name}${refuseCopy}\0\0\0`))
}
