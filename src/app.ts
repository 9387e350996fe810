/** Every route, and the order of its checks, on one page. */
import compression from 'compression'
import express, { type Express, type RequestHandler } from 'express'
import { readQuery, type Query as QuerySent } from './http/query.js'
import { requestId } from './http/request-id.js'
import { otherMethods, sendError, unknownPath } from './http/send-error.js'
import { frames } from './routes/frames.js'
import { framesAdmin } from './routes/frames-admin.js'
import { framesAt } from './routes/frames-at.js'
import { lgas } from './routes/lgas.js'
import { states } from './routes/states.js'
import { wards } from './routes/wards.js'
import type { Services } from './services.js'

declare module 'express-serve-static-core' {
  interface Request {
    /** The query string as sent; express would drop the thousandth parameter and turn a plus sign into a blank. */
    asked: QuerySent
  }
}

export function createApp(services: Services): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.use(requestId, question, compression({ threshold: 1024 }))

  // A call's checks run in this order: parameters, data.
  const get = (path: string, call: RequestHandler) => app.route(path).get(call).all(otherMethods('GET, HEAD'))
  get('/v1/frames/at', framesAt(services))
  get('/v1/frames/admin', framesAdmin(services))
  get('/v1/frames', frames(services))
  get('/v1/states', states(services))
  get('/v1/lgas', lgas(services))
  get('/v1/wards', wards(services))

  app.use(unknownPath)
  app.use(sendError(services))
  return app
}

const question: RequestHandler = (req, res, next) => {
  const cut = req.url.indexOf('?')
  req.asked = readQuery(cut === -1 ? undefined : req.url.slice(cut + 1))
  res.set('Vary', 'Accept-Encoding')
  next()
}
