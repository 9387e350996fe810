/**
 * What happens to every call, whatever it asks for: an id, a line in the log, its question, the coding of its answer. One
 * step of Express, since going from one to the next costs more than any of these.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import compression from 'compression'
import type { RequestHandler } from 'express'
import type { Services } from '../services.js'
import { accessLog } from './access-log.js'
import { readQuery, type Query as QuerySent } from './query.js'

declare module 'express-serve-static-core' {
  interface Request {
    /** X-Request-Id, always a new one: the ledger charges a request id once, so that no caller may choose it. */
    id: string
    /** The query string as sent; express would drop the thousandth parameter and turn a plus sign into a blank. */
    asked: QuerySent
  }
}

/**
 * Of a box of 4,700 frames: gzip 5 takes 4 ms where 6 takes 12, and sends less; brotli 2 takes 2 ms where 4 takes 4, and
 * sends less too.
 */
const compress = compression({
  threshold: 1024,
  level: 5,
  chunkSize: 64 * 1024,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
})

export function arrival(services: Services): RequestHandler {
  const noteDown = accessLog(services)
  return (req, res, next) => {
    req.id = randomUUID()
    res.setHeader('X-Request-Id', req.id)
    noteDown(req, res)
    const cut = req.url.indexOf('?')
    req.asked = readQuery(cut === -1 ? undefined : req.url.slice(cut + 1))
    res.setHeader('Vary', 'Accept-Encoding')
    // Its hooks are for those who take a coding.
    if (req.headers['accept-encoding'] === undefined) next()
    else compress(req, res, next)
  }
}
