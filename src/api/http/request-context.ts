/** Gives every request its id, its deadline, its query and its line in the log, and every answer the common headers. */
import { randomUUID } from 'node:crypto'
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import { type Authority, testPurpose } from '../../core/access/index.js'
import { type Deadline, deadlineIn } from '../../core/deadline.js'
import type { Services } from '../../services.js'
import { type Query as QuerySent, readQuery } from './query.js'

type RequestContext = {
  /** Sent as X-Request-Id. The ledger charges a request id once, so the service makes it and no caller may choose it. */
  readonly id: string
  /** The query string as the client sent it: Express drops the thousandth parameter and turns a plus sign into a blank. */
  readonly asked: QuerySent
  /** Bounds all that the request awaits from the database. The web app adds the person, once the session is known. */
  deadline: Deadline
  /** Set once the key is accepted: the log names it for refused calls too. */
  caller?: Authority
  person?: { orgId: string; personId: string }
  /** How the request ended: ok, worded, or the code of the error. */
  outcome: string
  /** The bucket that refused the request; blank for every other outcome. */
  spentBucket: string
  /** The tool that a message to /mcp calls. */
  tool?: string
  /** The status that the tool's refusal has as a call. Its HTTP answer has 200, which would hide it from operators. */
  toolStatus?: number
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext
  }
}

/** For caches: a body depends on its coding, and on the key that asks. */
export const VARY = 'Accept-Encoding, Authorization'

/** One handler does all of it: the step from one Express handler to the next costs more than any of these lines. */
export function requestContext(services: Services): RequestHandler {
  const logRequest = requestLogger(services)
  return (req, res, next) => {
    const queryAt = req.url.indexOf('?')
    req.context = {
      id: randomUUID(),
      asked: readQuery(queryAt === -1 ? undefined : req.url.slice(queryAt + 1)),
      deadline: deadlineIn(services.callMs),
      outcome: 'ok',
      spentBucket: '',
    }
    res.setHeader('X-Request-Id', req.context.id)
    logRequest(req, res)
    res.setHeader('Vary', VARY)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    next()
  }
}

/** nginx's 499: the client hung up. Logged only, never sent. */
const HUNG_UP = 499

function requestLogger({ log, metrics, keyUse }: Services): (req: ExpressRequest, res: Response) => void {
  let inFlight = 0
  metrics.watch('frames_http_requests_in_flight')(() => inFlight)
  return (req, res) => {
    const from = performance.now()
    inFlight += 1
    res.once('close', () => {
      inFlight -= 1
      const status = res.writableFinished && !req.errored ? (req.context.toolStatus ?? res.statusCode) : HUNG_UP
      const ms = performance.now() - from
      const { id, caller, person, tool, outcome: ended, spentBucket } = req.context
      const route = routeOf(req)
      metrics.requestEnded(route, status, ms / 1000)
      const testKey = caller && testPurpose(caller)
      if (testKey) metrics.count('frames_test_key_calls_total', { key: testKey, status })
      else if (caller) {
        const call = tool === undefined ? route : `${route} ${tool}`
        // A client that hung up got neither the answer nor the refusal.
        const bucket = status === HUNG_UP ? '' : spentBucket
        const outcome = status === HUNG_UP ? 'hung_up' : status === 304 ? 'not_modified' : ended
        keyUse.count({ keyId: caller.keyId, call, outcome, bucket, requestId: id })
      }
      log.info({
        requestId: id,
        method: req.method,
        path: (req.baseUrl + req.path).slice(0, 100),
        keyId: caller?.keyId,
        orgId: caller?.orgId ?? person?.orgId,
        personId: person?.personId,
        tool,
        outcome: tool === undefined ? undefined : ended,
        status,
        ms: Math.round(ms * 10) / 10,
      })
    })
  }
}

/**
 * The pattern that matched the path. All paths that match none count as one route, so that labels stay few. A refusal of
 * /ogc ends in a handler below /ogc, though its route has the whole path.
 */
function routeOf({ baseUrl, route }: ExpressRequest): string {
  if (typeof route?.path !== 'string') return 'other'
  return baseUrl === '/ogc' ? route.path : baseUrl + route.path
}
