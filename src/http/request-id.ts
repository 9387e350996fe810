/** X-Request-Id on every answer: the one a caller sent, when it is fit to be logged, else a new one. */
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'

export const requestId: RequestHandler = (req, res, next) => {
  const sent = req.get('X-Request-Id')
  res.set('X-Request-Id', sent && /^[\w.-]{8,64}$/.test(sent) ? sent : randomUUID())
  next()
}
