/** One line a request: who, what, how it ended and how long it took. Never the secret, nor the question. */
import type { RequestHandler } from 'express'
import type { Services } from '../services.js'

export function accessLog({ log }: Services): RequestHandler {
  return (req, res, next) => {
    const from = performance.now()
    res.once('close', () => {
      log.info({
        requestId: res.get('X-Request-Id'),
        method: req.method,
        path: req.path.slice(0, 100),
        keyId: req.caller?.keyId,
        orgId: req.caller?.orgId,
        status: res.writableFinished ? res.statusCode : 499,
        ms: Math.round((performance.now() - from) * 10) / 10,
      })
    })
    next()
  }
}
