/** Turns every refusal and every fault into a page, and logs those that are the service's own fault. */
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { ApiError, internal } from '../errors.js'
import { logFault } from '../http/send-error.js'
import type { Services } from '../services.js'
import { html } from './html.js'
import { noSuchPage, PageError, wrongMethod, type Refusal } from './refusals.js'
import { sendPage } from './send-page.js'

export const unknownPage: RequestHandler = () => {
  throw noSuchPage()
}

export function otherMethods(allowed: string): RequestHandler {
  return () => {
    throw wrongMethod(allowed)
  }
}

/** Express recognises an error handler by its four parameters. */
export function sendErrorPage({ log, metrics }: Services): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const refusal = refusalOf(thrown)
    if (refusal) metrics.countConsoleRefusal(refusal.reason)
    else logFault(log, req, thrown)
    if (res.headersSent) return void res.destroy()
    const { status, title, message, headers = {} } = refusal ?? serviceFault()
    res.status(status).set(headers).set('Cache-Control', 'no-store').removeHeader('ETag')
    sendPage(res, { title, body: errorBody(message, req.id) })
  }
}

/** The app shares the limit of an address with the API, and so its error. */
function refusalOf(thrown: unknown): Refusal | undefined {
  if (thrown instanceof PageError) return thrown.refusal
  if (!(thrown instanceof ApiError) || thrown.code !== 'rate_limited') return undefined
  const { status, message, headers } = thrown
  return { status, reason: 'rate', title: 'Too many tries', message, headers }
}

function serviceFault(): Omit<Refusal, 'reason'> {
  const { status, message, headers } = internal()
  return { status, title: 'Something went wrong', message, headers }
}

const errorBody = (message: string, requestId: string) =>
  html`<p class="lead">${message}</p>
    <p class="quiet">Request <code>${requestId}</code></p>`
