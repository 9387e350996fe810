/**
 * Fault: Express sets another prototype on each request and response. V8 then forgets their layout, and every access is
 *   slow. Steps: serve `app.get('/', (req, res) => res.end())` with and without these classes, under wrk.
 * Link: expressjs/express#5998, nodejs/node#37457
 * Gain: /v1/frames/at takes 151 µs of processor time with them and 354 without (7 runs in turn, the least of each).
 * Delete it when: Express makes requests and responses of its own classes, as the issue proposes.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Classes for createServer whose instances have Express's prototypes from the start, so that Express changes nothing.
 */
export const expressClasses = (app: Express) => ({
  IncomingMessage: withPrototype(IncomingMessage, app.request),
  ServerResponse: withPrototype(ServerResponse, app.response),
})

type Callable = { call: (instance: object, ...args: unknown[]) => void }

/**
 * A function rather than a class, since a class cannot take an existing prototype. Node's own constructors are
 * functions, which can be called on the new instance; Reflect.construct would be half as fast as Express without this
 * workaround.
 */
function withPrototype<Base>(base: Base, prototype: object): Base {
  function construct(this: object, first: unknown, second: unknown): void {
    ;(base as Callable).call(this, first, second)
  }
  construct.prototype = prototype
  return construct as Base
}
