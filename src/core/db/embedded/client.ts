/**
 * A client of the gateway: the messages that it sent, and what it changed of the one session that all clients share.
 */
import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { HEADER_LENGTH, message, messageLength, typeOf } from './messages.js'

export type Client = ReturnType<typeof newClient>

const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const CANCEL_REQUEST = 80877102
const SETTINGS_CHANGE = /\b(set|reset|discard|set_config|role|authorization)\b/i
const PREPARATION = /\bprepare\s+("(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)/giu

export const newClient = (socket: Socket) => ({
  socket,
  /** Bytes of a message that has not arrived whole. */
  incoming: Buffer.alloc(0) as Buffer,
  /** Whole messages that PGlite has not got yet. */
  messages: [] as Buffer[],
  hasStarted: false,
  /** The client is another program than this one, such as psql or QGIS. */
  isGuest: true,
  changesSettings: false,
  /** Names of the statements that it prepared, as SQL writes them. */
  prepared: new Set<string>(),
  /** It said goodbye. Until it hangs up, answers are still written. */
  leaves: false,
  isClosed: false,
})

export const hasWork = ({ messages, isClosed, prepared }: Client): boolean =>
  messages.length > 0 || (isClosed && prepared.size > 0)

/** Moves whole messages from the bytes that arrived to the list. `ownName` is the application name of this program. */
export function takeBytes(client: Client, bytes: Buffer, ownName: string): void {
  client.incoming = client.incoming.length === 0 ? bytes : Buffer.concat([client.incoming, bytes])
  for (;;) {
    const length = messageLength(client.incoming, !client.hasStarted)
    if (length === undefined || client.incoming.length < length) return
    const whole = client.incoming.subarray(0, length)
    client.incoming = client.incoming.subarray(length)
    if (client.hasStarted) takeMessage(client, whole)
    else takeStartup(client, whole, ownName)
  }
}

function takeStartup(client: Client, whole: Buffer, ownName: string): void {
  const code = whole.readInt32BE(4)
  if (code === SSL_REQUEST || code === GSS_REQUEST) client.socket.write('N')
  else if (code === CANCEL_REQUEST) client.socket.destroy()
  else {
    client.hasStarted = true
    client.isGuest = !whole.toString('latin1').includes(`application_name\0${ownName}\0`)
    client.messages.push(whole)
  }
}

function takeMessage(client: Client, whole: Buffer): void {
  const type = typeOf(whole)
  if (type === 'X') {
    client.leaves = true
    return void client.socket.end()
  }
  if (type !== 'Q' && type !== 'P') return void client.messages.push(whole)
  const body = whole.subarray(HEADER_LENGTH)
  const name = type === 'P' ? body.subarray(0, body.indexOf(0) + 1).toString() : ''
  const text = body.subarray(Buffer.byteLength(name), body.indexOf(0, Buffer.byteLength(name))).toString()
  if (client.isGuest && SETTINGS_CHANGE.test(text)) client.changesSettings = true
  if (name.length > 1) client.prepared.add(`"${name.slice(0, -1).replaceAll('"', '""')}"`)
  for (const [, prepared = ''] of text.matchAll(PREPARATION)) client.prepared.add(prepared)
  client.messages.push(isCopyIn(text) ? copyRefusal(type, name) : whole)
}

/**
 * Fault: PGlite 0.5.8 cannot resume a COPY FROM STDIN whose data comes in later messages. Steps: `\copy` of psql into
 *   any table. The session answers nothing more; it should take the rows.
 * Link: electric-sql/pglite#1028.
 * Gain: the client gets an error that says what works, instead of no answer.
 * Delete it when PGlite takes a COPY and its data in separate calls.
 */
const COPY_IN = /^(\s|--[^\n]*\n)*copy\b[\s\S]*\bfrom\s+stdin\b/i
const REFUSAL =
  "do $$begin raise feature_not_supported using message = 'the embedded database cannot COPY FROM STDIN', " +
  "hint = 'Use INSERT here, or a PostgreSQL server.'; end$$"

const isCopyIn = (text: string): boolean => COPY_IN.test(text)

/** A statement that fails in place of the COPY: a simple query, or one to prepare under `name`. */
const copyRefusal = (type: string, name: string): Buffer =>
  message(type, type === 'Q' ? `${REFUSAL}\0` : `${name}${REFUSAL}\0\0\0`)
