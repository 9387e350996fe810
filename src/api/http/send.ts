/** Sends answers in the envelope of every success: {"data": ...}. */
import type { Response } from 'express'
import { codingFor, compressed, COMPRESSED_FROM } from './coding.js'

type Piece = string | Buffer
/** JSON text in pieces. `release` is called when nobody reads their memory any more. */
export type Pieces = { pieces: readonly Piece[]; release?: () => void }

const ENVELOPE_TYPE = 'application/json; charset=utf-8'

export const sendDataText = (res: Response, text: string): Promise<void> => send(res, { pieces: [`{"data":${text}}`] })

export const sendDataPieces = (res: Response, { pieces, ...data }: Pieces): Promise<void> =>
  send(res, { ...data, pieces: ['{"data":', ...pieces, '}'] })

export const sendData = (res: Response, data: unknown): Promise<void> => sendDataText(res, JSON.stringify(data))

/** Sends a body that has no envelope of the API. */
export const sendJsonText = (res: Response, text: string): Promise<void> => send(res, { pieces: [text] })

/** Sends a body of another type, without an envelope. */
export const sendPiecesAs = (res: Response, type: string, pieces: Pieces): Promise<void> => send(res, pieces, type)

/**
 * Express's own res.send reads, parses and rewrites the headers that it needs, at a tenth of the cost of a small
 * answer.
 */
async function send(res: Response, { pieces, release }: Pieces, type = ENVELOPE_TYPE): Promise<void> {
  res.setHeader('Content-Type', type)
  const coding = totalLength(pieces) < COMPRESSED_FROM ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  if (coding === 'identity') {
    if (release) res.once('close', release)
    return write(res, pieces)
  }
  const chunks = await compressed(coding, pieces)
  release?.()
  res.setHeader('Content-Encoding', coding)
  write(res, chunks)
}

/** HEAD gets the same headers, and Node leaves the body out. */
function write(res: Response, pieces: readonly Piece[]): void {
  res.setHeader('Content-Length', totalLength(pieces))
  const last = pieces.at(-1)
  if (pieces.length === 1) return void res.end(last)
  res.cork()
  for (const piece of pieces.slice(0, -1)) res.write(piece)
  res.end(last)
  // A large answer that stays corked is not sent until the next turn of the event loop.
  res.uncork()
}

const totalLength = (pieces: readonly Piece[]) => pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
