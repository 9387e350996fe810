/** The envelope: {"data": ...} for every success. */
import type { Response } from 'express'

/** Sends data that is JSON text already. */
export function sendDataText(res: Response, text: string): void {
  res.type('application/json').send(`{"data":${text}}`)
}

export function sendData(res: Response, data: unknown): void {
  sendDataText(res, JSON.stringify(data))
}
