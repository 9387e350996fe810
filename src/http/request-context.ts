/** What every call gets, whatever it asks for: an id, a line in the log, its query, the headers of every answer. */
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { CALL_MS, deadlineIn, type Deadline } from '../deadline.js'
import type { Services } from '../services.js'
import { requestLogger } from './log-request.js'
import { readQuery, type Query as QuerySent } from './query.js'

declare module 'express-serve-static-core' {
  interface Request {
    /** X-Request-Id, always a new one: the ledger charges a request id once, so that no caller may choose it. */
    id: string
    /** The query string as sent; express would drop the thousandth parameter and turn a plus sign into a blank. */
    asked: QuerySent
    /** For all that the call waits for of the database. */
    deadline: Deadline
  }
}

/** A body depends on its coding, and on the key that asks. */
export const VARY = 'Accept-Encoding, Authorization'

/** One step of Express: going from one step to the next costs more than any of these. */
export function requestContext(services: Services): RequestHandler {
  const logRequest = requestLogger(services)
  return (req, res, next) => {
    req.deadline = deadlineIn(CALL_MS)
    req.id = randomUUID()
    res.setHeader('X-Request-Id', req.id)
    logRequest(req, res)
    const cut = req.url.indexOf('?')
    req.asked = readQuery(cut === -1 ? undefined : req.url.slice(cut + 1))
    res.setHeader('Vary', VARY)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    next()
  }
}
