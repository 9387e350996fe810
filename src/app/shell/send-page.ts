/** Sends a page in the layout, with the headers that bound what a browser does with it. */
import type { RequestHandler, Response } from 'express'
import { textOf } from './html.js'
import { layout, type Page } from './layout.js'

/** A page runs scripts of this service only, asks no other host, and no other page can embed it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/**
 * Every answer of the app has these, whether a page, a redirect or a file. No other site learns the address of a page.
 * Under no-referrer a browser would send `Origin: null` with each form, as forms of other sites may.
 */
export const pageHeaders: RequestHandler = (_req, res, next) => {
  res.set({
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    Vary: 'Cookie',
  })
  next()
}

export function sendPage(res: Response, page: Page): void {
  if (res.req.visit.isForPanel) return
  res.type('text/html; charset=utf-8').send(textOf(layout(page, res.req.visit)))
}

/** The address of a page ends in no slash. The caller's pattern lets no second slash through, so the app is not left. */
export const leadToPage: RequestHandler = (req, res) => {
  const [path = '', ...query] = req.url.split('?')
  const address = req.visit.place.app + path.replace(/\/$/, '')
  res
    .status(308)
    .set('Location', [address, ...query].join('?'))
    .end()
}

/** After a POST: the browser asks for the page with GET, so that a reload does not send the form again. */
export function goTo(res: Response, path: string): void {
  res
    .status(303)
    .set('Location', res.req.visit.place.app + path)
    .end()
}
