/** One line a request, and its share of the metrics: who, what, how it ended and how long it took. Never the secret, nor the question. */
import type { Request, Response } from 'express'
import type { Services } from '../services.js'

/** Of a client that did not stay for its answer; nobody is sent it. */
const HUNG_UP = 499

export function requestLogger({ log, metrics }: Services): (req: Request, res: Response) => void {
  return (req, res) => {
    const from = performance.now()
    metrics.requestStarted()
    res.once('close', () => {
      const status = res.writableFinished && !req.errored ? res.statusCode : HUNG_UP
      const ms = performance.now() - from
      metrics.requestEnded(routeOf(req), status, ms / 1000)
      log.info({
        requestId: req.id,
        method: req.method,
        path: req.path.slice(0, 100),
        keyId: req.caller?.keyId,
        orgId: req.caller?.orgId,
        status,
        ms: Math.round(ms * 10) / 10,
      })
    })
  }
}

/** The pattern that the path matched; whatever matched none is one route. */
const routeOf = ({ route }: Request): string => (typeof route?.path === 'string' ? route.path : 'other')
