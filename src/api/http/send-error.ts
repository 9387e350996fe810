/** Turns every error into the error envelope, and logs those that are the service's own fault. */
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { DeadlinePassed } from '../../core/deadline.js'
import { ApiError, internal, late, methodNotAllowed, notFound } from '../../core/errors.js'
import type { Services } from '../../services.js'
import { sendPreflight } from './cross-origin.js'
import { maskSecrets } from '../../core/access/index.js'

/** Express recognises an error handler by its four parameters. `bodyOf` writes the body. */
export function sendError({ log }: Pick<Services, 'log'>, bodyOf = errorJson): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = thrown instanceof ApiError ? thrown : faultOf(thrown)
    if (!(thrown instanceof ApiError)) logFault(log, req, thrown)
    if (res.headersSent) return void res.destroy()
    req.context.outcome = error.code
    for (const name of ['ETag', 'Cache-Control', 'X-Index-Generation']) res.removeHeader(name)
    res.status(error.status).set(error.headers).set('Cache-Control', 'no-store')
    res.type('application/json').send(bodyOf(error))
  }
}

/** The log alone has the reason of a fault. A caller reads whether asking for less may help. */
export const faultOf = (thrown: unknown): ApiError => (thrown instanceof DeadlinePassed ? late() : internal())

export function logFault(
  log: Services['log'],
  { context: { id }, method, baseUrl, path }: Request,
  thrown: unknown,
): void {
  log.error({ requestId: id, method, path: baseUrl + path, fault: loggable(thrown) }, 'request failed')
}

/** A driver's error carries the arguments of the statement, which may be private: they are not logged. */
function loggable(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  const { code, routine } = thrown as Error & { code?: string; routine?: string }
  return { name: thrown.name, message: thrown.message, code, routine, stack: thrown.stack }
}

/** A browser hides the answer after a refused preflight: here a page gets the 404 that others get. */
export const unknownPath: RequestHandler = (req, res) => {
  if (!sendPreflight(res, 'GET, HEAD, POST')) throw notFound(`There is nothing at ${req.path.slice(0, 100)}.`)
}

export function otherMethods(allowed: string): RequestHandler {
  return (req, res) => {
    if (!sendPreflight(res, allowed)) throw methodNotAllowed(req.method, allowed)
  }
}

/** A message may quote the request, a key included, and callers log what they receive: secrets are masked. */
export const errorJson = ({ code, message }: ApiError): string =>
  JSON.stringify({ error: { code, message: maskSecrets(message) } })

/** The body of a failure in /ogc, as OGC API Features has it. */
export const ogcErrorJson = ({ code, message }: ApiError): string =>
  JSON.stringify({ code, description: maskSecrets(message) })
