/** Gives every request its id, its deadline, its query and its line in the log, and every answer the common headers. */
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Authority } from '../../core/access/authority.js'
import { deadlineIn, type Deadline } from '../../core/deadline.js'
import type { Services } from '../../services.js'
import { requestLogger } from './log-request.js'
import { readQuery, type Query as QuerySent } from './query.js'

/** All that the handlers of a request find out about it. */
type RequestContext = {
  /** Sent as X-Request-Id. The ledger charges a request id once, so the service makes it and no caller may choose it. */
  readonly id: string
  /** The query string as the client sent it: Express drops the thousandth parameter and turns a plus sign into a blank. */
  readonly asked: QuerySent
  /** Bounds all that the request awaits from the database. */
  readonly deadline: Deadline
  /** Set once the key is accepted: the log names it for refused calls too. */
  caller?: Authority
  /** Set once a person is signed in. */
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
