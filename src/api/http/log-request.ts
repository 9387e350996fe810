/**
 * Logs one line for each request, and counts it in the metrics and for its key. The line never holds the secret or the
 * question.
 */
import type { Request, Response } from 'express'
import type { Services } from '../../services.js'

/** nginx's 499: the client hung up. Logged only, never sent. */
const HUNG_UP = 499

export function requestLogger({ log, metrics, keyUse }: Services): (req: Request, res: Response) => void {
  return (req, res) => {
    const from = performance.now()
    metrics.requestStarted()
    res.once('close', () => {
      const status = res.writableFinished && !req.errored ? (req.toolStatus ?? res.statusCode) : HUNG_UP
      const ms = performance.now() - from
      const route = routeOf(req)
      metrics.requestEnded(route, status, ms / 1000)
      if (req.caller) {
        const { outcome, bucket } = outcomeOf(req, status)
        const call = req.tool === undefined ? route : `${route} ${req.tool}`
        keyUse.count({ keyId: req.caller.keyId, call, outcome, bucket, requestId: req.id })
      }
      log.info({
        requestId: req.id,
        method: req.method,
        path: (req.baseUrl + req.path).slice(0, 100),
        keyId: req.caller?.keyId,
        orgId: req.caller?.orgId ?? req.session?.orgId,
        personId: req.session?.personId,
        ...(req.tool !== undefined && { tool: req.tool, outcome: req.outcome }),
        status,
        ms: Math.round(ms * 10) / 10,
      })
    })
  }
}

/** The pattern that matched the path. All paths that match none count as one route, so that labels stay few. */
const routeOf = ({ baseUrl, route }: Request): string =>
  typeof route?.path === 'string' ? baseUrl + route.path : 'other'

/** A client that hung up got neither the answer nor the refusal. */
function outcomeOf({ outcome, spentBucket }: Request, status: number): { outcome: string; bucket: string } {
  if (status === HUNG_UP) return { outcome: 'hung_up', bucket: '' }
  return { outcome: status === 304 ? 'not_modified' : outcome, bucket: spentBucket }
}
