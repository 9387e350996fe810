/**
 * Requests and responses that are Express's own from the start. Express gives each request and response another prototype,
 * which makes the engine forget how they are laid out: every access after it is slow. To one that has the prototype
 * already, nothing happens.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** For createServer. */
export const messagesOf = (app: Express) => ({
  IncomingMessage: withPrototype(IncomingMessage, app.request),
  ServerResponse: withPrototype(ServerResponse, app.response),
})

type Callable = { call: (made: object, ...args: unknown[]) => void }

/**
 * A function, since a class cannot take a prototype that is there already; and Node's own constructors are functions, which
 * may be called on what is being made. (Reflect.construct makes the same object half as fast as Express alone does.)
 */
function withPrototype<Base>(base: Base, prototype: object): Base {
  function make(this: object, first: unknown, second: unknown): void {
    ;(base as Callable).call(this, first, second)
  }
  make.prototype = prototype
  return make as Base
}
