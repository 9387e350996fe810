/** The envelope: {"data": ...} for every success. */
import type { Response } from 'express'
import { giveBack } from '../db/driver/page-memory.js'
import { codingFor, compressed, COMPRESSED_FROM } from './coding.js'

type Piece = string | Buffer

/** Sends data that is JSON text already. */
export const sendDataText = (res: Response, text: string): Promise<void> => send(res, [`{"data":${text}}`])

/** The same, in pieces: bytes of the database go out as they came, and their memory is used again after that. */
export const sendDataPieces = (res: Response, pieces: readonly Piece[]): Promise<void> =>
  send(res, ['{"data":', ...pieces, '}'])

export const sendData = (res: Response, data: unknown): Promise<void> => sendDataText(res, JSON.stringify(data))

/**
 * Express's own res.send reads, parses and writes each header anew that it needs: that is a tenth of the cost of a small answer.
 */
async function send(res: Response, pieces: readonly Piece[]): Promise<void> {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  const coding = lengthOf(pieces) < COMPRESSED_FROM ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  if (coding === 'identity') {
    res.once('close', () => giveAllBack(pieces))
    return write(res, pieces)
  }
  const chunks = await compressed(coding, pieces)
  giveAllBack(pieces)
  res.setHeader('Content-Encoding', coding)
  write(res, chunks)
}

/** HEAD gets the same headers; Node leaves its body out. */
function write(res: Response, pieces: readonly Piece[]): void {
  res.setHeader('Content-Length', lengthOf(pieces))
  const last = pieces.at(-1)
  if (pieces.length === 1) return void res.end(last)
  res.cork()
  for (const piece of pieces.slice(0, -1)) res.write(piece)
  res.end(last)
  // Without it, Node would send nothing of a large answer yet.
  res.uncork()
}

const lengthOf = (pieces: readonly Piece[]) => pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)

function giveAllBack(pieces: readonly Piece[]): void {
  for (const piece of pieces) if (typeof piece !== 'string') giveBack(piece)
}
