/** The envelope: {"data": ...} for every success. */
import type { Response } from 'express'
import { giveBack } from '../db/page-memory.js'

/** Sends data that is JSON text already. */
export const sendDataText = (res: Response, text: string): void => send(res, `{"data":${text}}`)

/** The same, in pieces: what the database sent as bytes goes out as it is, and its memory is used again after that. */
export function sendDataPieces(res: Response, pieces: readonly (string | Buffer)[]): void {
  res.once('close', () => {
    for (const piece of pieces) if (typeof piece !== 'string') giveBack(piece)
  })
  send(res, '{"data":', ...pieces, '}')
}

/**
 * Not by res.send of Express, which reads, parses and writes anew each header that it needs: a tenth of what a small answer
 * costs.
 */
function send(res: Response, ...pieces: (string | Buffer)[]): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader(
    'Content-Length',
    pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0),
  )
  const last = pieces.pop()
  if (pieces.length === 0) return void res.end(last)
  res.cork()
  for (const piece of pieces) res.write(piece)
  res.end(last)
  // Its end alone would leave a large answer lying here.
  res.uncork()
}

export function sendData(res: Response, data: unknown): void {
  sendDataText(res, JSON.stringify(data))
}
