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
      const status = res.writableFinished && !req.errored ? (req.context.toolStatus ?? res.statusCode) : HUNG_UP
      const ms = performance.now() - from
      const { id, caller, person, tool, outcome: ended } = req.context
      const route = routeOf(req)
      metrics.requestEnded(route, status, ms / 1000)
      if (caller) {
        const { outcome, bucket } = outcomeOf(req, status)
        const call = tool === undefined ? route : `${route} ${tool}`
        keyUse.count({ keyId: caller.keyId, call, outcome, bucket, requestId: id })
      }
      log.info({
        requestId: id,
        method: req.method,
        path: (req.baseUrl + req.path).slice(0, 100),
        keyId: caller?.keyId,
        orgId: caller?.orgId ?? person?.orgId,
        personId: person?.personId,
        ...(tool !== undefined && { tool, outcome: ended }),
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
function outcomeOf(
  { context: { outcome, spentBucket } }: Request,
  status: number,
): { outcome: string; bucket: string } {
  if (status === HUNG_UP) return { outcome: 'hung_up', bucket: '' }
  return { outcome: status === 304 ? 'not_modified' : outcome, bucket: spentBucket }
}
