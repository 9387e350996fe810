/** X-Request-Id on every answer, always a new one: the ledger charges a request id once, so that no caller may choose it. */
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'

export const requestId: RequestHandler = (_req, res, next) => {
  res.set('X-Request-Id', randomUUID())
  next()
}
