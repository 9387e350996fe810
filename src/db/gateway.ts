/**
 * PostgreSQL's wire protocol on a socket, in front of the one backend that PGlite is.
 *
 * A client holds the backend from its first message until PostgreSQL says it is idle again, so no two clients
 * meet inside a statement, a transaction or an unnamed portal. Settings are the backend's: what a guest (psql,
 * QGIS) sets is put back when it lets go.
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
  closed: boolean
}

const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const CANCEL_REQUEST = 80877102
const HOLD_MS = 30_000
/** Simple query, sync, function call: PostgreSQL answers these, and only these, with "ready for query". */
const ENDS_A_ROUND = 'QSF'
const settingsChange = /\b(set|reset|discard|set_config|role|authorization)\b/i
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
      closed: false,
    }
    socket.setNoDelay(true)
    socket.on('data', (data) => {
      client.incoming = client.incoming.length === 0 ? data : Buffer.concat([client.incoming, data])
      takeMessages(client, ownName)
      if (client.messages.length === 0) return
      if (!waiting.includes(client)) waiting.push(client)
      void run()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      client.closed = true
      client.messages = []
      if (holder === client) void run()
    })
  })

  /** A guest that leaves a transaction open while others wait is shown out. */
  const watch = setInterval(() => {
    if (holder && !running && waiting.some((other) => other !== holder) && Date.now() - heldSince > HOLD_MS) {
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
    return client && client.messages.length === 0 ? next() : client
  }

  async function serve(client: Client): Promise<void> {
    if (client.closed) {
      await quietly(message('S', ''))
      await quietly(message('Q', 'rollback\0'))
      await letGo(client)
      return
    }
    holder = client
    const round = takeRound(client)
    let tail: Buffer = Buffer.alloc(0)
    await backend.exec(round, (reply) => {
      const bytes = Buffer.from(reply)
      tail = Buffer.concat([tail, bytes]).subarray(-6)
      if (!client.closed) client.socket.write(bytes)
    })
    heldSince = Date.now()
    if (tail.length === 6 && tail.subarray(0, 5).equals(readyForQuery) && tail[5] === idle) await letGo(client)
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

const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5])
const idle = 'I'.charCodeAt(0)

/** The client's messages up to the first that PostgreSQL answers with "ready", as one. */
function takeRound(client: Client): Buffer {
  const end = client.messages.findIndex((m) => ENDS_A_ROUND.includes(String.fromCharCode(m[0] ?? 0)))
  return Buffer.concat(client.messages.splice(0, end === -1 ? client.messages.length : end + 1))
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
  if (type === 'X') return void client.socket.end()
  if (type !== 'Q' && type !== 'P') return void client.messages.push(whole)
  const body = whole.subarray(5)
  const name = type === 'P' ? body.subarray(0, body.indexOf(0) + 1).toString() : ''
  const text = body.subarray(Buffer.byteLength(name), body.indexOf(0, Buffer.byteLength(name))).toString()
  if (client.guest && settingsChange.test(text)) client.changesSettings = true
  if (!copyIn.test(text)) client.messages.push(whole)
  else client.messages.push(message(type, type === 'Q' ? `${refuseCopy}\0` : `${name}${refuseCopy}\0\0\0`))
}
