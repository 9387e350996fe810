/**
 * CORS: pages of the origins in CORS_ORIGINS may call with a key. Credentials of the browser, such as cookies, never
 * count here.
 */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import { VARY } from './request-context.js'

/** Headers of an answer that a page may read, besides those that every page may. */
const EXPOSED = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Index-Generation, X-Request-Id'
const ALLOW_HEADERS = 'Access-Control-Allow-Headers'
/** Chromium keeps the answer to a preflight no longer. */
const MAX_AGE_SECONDS = 7200

/** `taken`: headers that a page may send. `shown`: others of an answer. Errors of the handlers after this one carry the headers too. */
export function crossOrigin(origins: readonly string[], taken: string, shown = ''): RequestHandler {
  const allowed = new Set(origins)
  return (req, res, next) => {
    res.setHeader('Vary', `${VARY}, Origin`)
    const { origin } = req.headers
    if (origin === undefined || !allowed.has(origin)) return next()
    res.setHeader('Access-Control-Allow-Origin', origin)
    if (isPreflight(req)) res.setHeader(ALLOW_HEADERS, taken)
    else res.setHeader('Access-Control-Expose-Headers', shown + EXPOSED)
    next()
  }
}

/** Answers the preflight of an allowed origin, without a key. False for any other request. */
export function sendPreflight(res: Response, methods: string): boolean {
  if (!res.hasHeader(ALLOW_HEADERS)) return false
  res.setHeader('Access-Control-Allow-Methods', methods)
  res.setHeader('Access-Control-Max-Age', String(MAX_AGE_SECONDS))
  res.status(204).end()
  return true
}

const isPreflight = ({ method, headers }: ExpressRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
