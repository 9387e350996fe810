/** Turns whatever was thrown into the error envelope, and logs what is our fault. */
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { maskSecrets } from '../access/secret.js'
import { ApiError, internal, methodNotAllowed, notFound } from '../errors.js'
import type { Services } from '../services.js'

/** A message may quote what came, and end up in the log of whoever called. */
export const errorJson = ({ code, message }: ApiError) =>
  JSON.stringify({ error: { code, message: maskSecrets(message) } })

/** Express knows an error handler by its four parameters. */
export function sendError({ log }: Services): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = thrown instanceof ApiError ? thrown : internal()
    if (!(thrown instanceof ApiError)) {
      log.error({ requestId: req.id, method: req.method, path: req.path, fault: describe(thrown) }, 'request failed')
    }
    if (res.headersSent) return void res.destroy()
    for (const name of ['ETag', 'Cache-Control']) res.removeHeader(name)
    res.status(error.status).set(error.headers).set('Cache-Control', 'no-store')
    res.type('application/json').send(errorJson(error))
  }
}

/** A driver's error carries the statement's arguments: only what names the fault is logged. */
function describe(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  const { code, routine } = thrown as Error & { code?: string; routine?: string }
  return { name: thrown.name, message: thrown.message, code, routine, stack: thrown.stack }
}

export const unknownPath: RequestHandler = (req) => {
  throw notFound(`There is nothing at ${req.path.slice(0, 100)}.`)
}

export function otherMethods(allowed: string): RequestHandler {
  return (req) => {
    throw methodNotAllowed(req.method, allowed)
  }
}
