/**
 * Fault: Express sets another prototype on each request and response. V8 then forgets their layout, and every access is
 *   slow. Steps: serve `app.get('/', (req, res) => res.end())` with and without these classes, under wrk.
 * Link: expressjs/express#5998, nodejs/node#37457
 * Gain: /v1/frames/at takes 152 µs of processor time with them and 507 without (medians of 5 turns of each).
 * Delete it when: Express makes requests and responses of its own classes, as the issue proposes.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Classes for createServer whose instances have Express's prototypes from the start, so that Express changes nothing.
 * The classes extend Node's, so V8 knows how many properties the constructors set, and makes room for them in each
 * object. Without that room an object becomes a dictionary, since Node and Express set many properties by computed names.
 *
 * The prototypes of the classes become `app.request` and `app.response`.
 */
export function expressClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  app.request = inFrontOf(Request.prototype, app.request)
  app.response = inFrontOf(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}

/** The methods of Express are then found through the prototype. */
const inFrontOf = <Kind extends object>(prototype: object, express: Kind): Kind =>
  Object.setPrototypeOf(prototype, express) as Kind
