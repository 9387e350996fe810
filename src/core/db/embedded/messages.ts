/**
 * Messages of PostgreSQL's protocol: a letter, a length that counts itself, and a body. The first message has no
 * letter.
 */
import { Buffer } from 'node:buffer'

export const HEADER_LENGTH = 5
/** Simple query, sync, function call: PostgreSQL answers these, and only these, with "ready for query". */
const ENDS_A_ROUND = 'QSF'

export function message(type: string, body: string): Buffer {
  const text = Buffer.from(body)
  const head = Buffer.alloc(HEADER_LENGTH)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(4 + text.length, 1)
  return Buffer.concat([head, text])
}

export const typeOf = (whole: Buffer): string => String.fromCharCode(whole[0] ?? 0)

/** The length of the message at the start of the bytes; undefined while its length is not there yet. */
export function messageLength(bytes: Buffer, isFirst: boolean): number | undefined {
  if (bytes.length < (isFirst ? 8 : HEADER_LENGTH)) return undefined
  return isFirst ? bytes.readInt32BE(0) : 1 + bytes.readInt32BE(1)
}

/** Takes the messages up to the first that PostgreSQL answers with "ready", as one. A start gets that answer too. */
export function takeRound(messages: Buffer[]): { bytes: Buffer; endsReady: boolean } {
  const end = messages.findIndex((each) => ENDS_A_ROUND.includes(typeOf(each)))
  const isStart = messages[0]?.[0] === 0
  const bytes = Buffer.concat(messages.splice(0, end === -1 ? messages.length : end + 1))
  return { bytes, endsReady: end !== -1 || isStart }
}
