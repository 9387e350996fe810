/** Sends a page in the layout, with the headers that bound what a browser does with it. */
import type { RequestHandler, Response } from 'express'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { codingFor, COMPRESSED_FROM } from '../../api/http/coding.js'
import { markupText, type Html } from './html.js'
import { layout, type PageContent } from './layout.js'
import { keepNotice, takeNotice } from './notice.js'

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
    Vary: 'Cookie, Accept-Encoding',
  })
  next()
}

export function sendPage(res: Response, page: PageContent): void {
  if (res.req.visit.isForPanel) return
  sendHtml(res, layout({ ...page, notice: takeNotice(res.req, page.section) }, res.req.visit))
}

/** Sends a page or a part of one. A page with a secret answers POST: its length must not tell what a form brought. */
export function sendHtml(res: Response, markup: Html): void {
  const text = markupText(markup)
  const isPlain = res.req.method === 'POST' || text.length < COMPRESSED_FROM
  const coding = isPlain ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  res.type('text/html; charset=utf-8')
  if (coding === 'identity') return void res.send(text)
  const body = coding === 'gzip' ? gzipSync(text) : brotliCompressSync(text, { params: QUICK })
  res.set('Content-Encoding', coding).send(body)
}

/** A page of 40 kB takes half a millisecond, and has a fifth of the bytes. */
const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 4 }

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

/** `done` is the name of the change: the page says its sentence once. */
export function goToWithNotice(res: Response, path: string, done: string): void {
  keepNotice(res, done)
  goTo(res, path)
}
