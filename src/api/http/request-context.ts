/** Gives every request its id, its deadline, its query and its line in the log, and every answer the common headers. */
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { deadlineIn, type Deadline } from '../../core/deadline.js'
import type { Services } from '../../services.js'
import { requestLogger } from './log-request.js'
import { readQuery, type Query as QuerySent } from './query.js'

declare module 'express-serve-static-core' {
  interface Request {
    /**
     * Sent as X-Request-Id. The ledger charges a request id once, so the service makes it and no caller may choose it.
     */
    id: string
    /**
     * The query string as the client sent it: Express drops the thousandth parameter and turns a plus sign into a
     * blank.
     */
    asked: QuerySent
    /** Bounds all that the request awaits from the database. */
    deadline: Deadline
    /** How the request ended: ok, worded, or the code of the error. */
    outcome: string
    /** The tool that a message to /mcp calls. */
    tool?: string
    /** The status that the tool's refusal has as a call. Its HTTP answer has 200, which would hide it from operators. */
    toolStatus?: number
    /** The bucket that refused the request; blank for every other outcome. */
    spentBucket: string
  }
}

/** For caches: a body depends on its coding, and on the key that asks. */
export const VARY = 'Accept-Encoding, Authorization'

/** One handler does all of it: the step from one Express handler to the next costs more than any of these lines. */
export function requestContext(services: Services): RequestHandler {
  const logRequest = requestLogger(services)
  return (req, res, next) => {
    req.deadline = deadlineIn(services.callMs)
    req.id = randomUUID()
    req.outcome = 'ok'
    req.spentBucket = ''
    res.setHeader('X-Request-Id', req.id)
    logRequest(req, res)
    const queryAt = req.url.indexOf('?')
    req.asked = readQuery(queryAt === -1 ? undefined : req.url.slice(queryAt + 1))
    res.setHeader('Vary', VARY)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    next()
  }
}
