/** Turns every refusal and every fault into a page, and logs those that are the service's own fault. */
import type { ErrorRequestHandler, Request as ExpressRequest, RequestHandler } from 'express'
import { HungUp, isLost, TooManyWaiting } from '../../core/db/index.js'
import { DeadlinePassed } from '../../core/deadline.js'
import { ApiError } from '../../core/errors.js'
import { faultOf, logFault } from '../../api/http/send-error.js'
import type { Services } from '../../services.js'
import { html } from './html.js'
import {
  changeUncertain,
  noSuchPage,
  PageError,
  type PageRefusal,
  primaryAway,
  tooManyWaiting,
  wrongMethod,
} from './refusals.js'
import { sendPage } from './send-page.js'

export const unknownPage: RequestHandler = () => {
  throw noSuchPage()
}

export function otherMethodsOfPage(allowed: string): RequestHandler {
  return () => {
    throw wrongMethod(allowed)
  }
}

export const forScripts: RequestHandler = (req, _res, next) => {
  req.visit.isFromScript = true
  next()
}

/** Express recognises an error handler by its four parameters. */
export function sendErrorPage({ log, metrics }: Services): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    if (thrown instanceof HungUp) return void res.destroy()
    const refusal = refusalOfThrown(thrown, req)
    if (refusal) metrics.count('frames_console_refusals_total', { reason: refusal.reason })
    if (!refusal || isLost(thrown)) logFault(log, req, thrown)
    if (res.headersSent) return void res.destroy()
    const { status, title, message, headers = {}, links = [] } = refusal ?? serviceFault(thrown, req)
    res.status(status).set(headers).set('Cache-Control', 'no-store').removeHeader('ETag')
    if (req.visit.isFromScript) res.type('text/plain; charset=utf-8').send(`${message}\n`)
    else sendPage(res, { title, body: errorBody(req, message, links) })
  }
}

/** The app shares the limits and the parameters of the API, and so their errors. */
const ERRORS_OF_API: Readonly<Partial<Record<ApiError['code'], Pick<PageRefusal, 'reason' | 'title'>>>> = {
  rate_limited: { reason: 'rate', title: 'Too many requests' },
  not_found: { reason: 'not_found', title: 'There is no such page' },
  invalid: { reason: 'address', title: 'This address cannot be read' },
  invalid_point: { reason: 'address', title: 'This point cannot be read' },
  invalid_bbox: { reason: 'address', title: 'This box cannot be read' },
}

function refusalOfThrown(thrown: unknown, { visit: { mayHaveChanged } }: ExpressRequest): PageRefusal | undefined {
  if (thrown instanceof PageError) return thrown.refusal
  if (thrown instanceof TooManyWaiting) return tooManyWaiting(thrown.retrySeconds).refusal
  if (isLost(thrown)) return (mayHaveChanged ? changeUncertain() : primaryAway()).refusal
  const known = thrown instanceof ApiError ? ERRORS_OF_API[thrown.code] : undefined
  if (!(thrown instanceof ApiError) || !known) return undefined
  const { status, message, headers } = thrown
  return { status, ...known, message, headers }
}

function serviceFault(thrown: unknown, { visit }: ExpressRequest): Omit<PageRefusal, 'reason'> {
  const { status, message, headers } = faultOf(thrown)
  if (!(thrown instanceof DeadlinePassed)) return { status, title: 'Something went wrong', message, headers }
  return { status, title: 'This took too long', message: visit.mayHaveChanged ? LATE_CHANGE : LATE_PAGE, headers }
}

const LATE_PAGE =
  'The database did not answer in time. Try again in a moment. The map, Ask and Take along read a smaller place sooner.'
const LATE_CHANGE =
  'The database did not answer in time, so this may have been done or not. Look at the page before you try again.'

const errorBody = (req: ExpressRequest, message: string, links: NonNullable<PageRefusal['links']>) =>
  html`<p class="lead">${message}</p>
    ${
      links.length > 0 &&
      html`<p>${links.map(({ path, label }) => html`<a href="${req.visit.place.app}${path}">${label}</a> `)}</p>`
    }
    <p class="quiet">Request <code>${req.context.id}</code> in the log of the service</p>`
