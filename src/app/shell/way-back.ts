/**
 * Leads a person who had to sign in to the page that the person had opened. A cookie holds its address, since a sign-in
 * link, a provider and a passkey each come back in their own way.
 */
import type { Request, Response } from 'express'
import { besideSession, clearCookie, readCookie, setCookie } from './cookie.js'
import { goTo } from './send-page.js'

/** A person finds the mail with the link in this time. */
const WAY_BACK_KEPT_MS = 30 * 60_000
/** Browsers keep cookies of 4,096 characters. */
const ADDRESS_MAX = 3000

/**
 * The path of a page of the app and any query, whoever set the cookie. Paths of pages need no percent and no dots,
 * which could lead out of the app. Signing in or out, links, tiles and assets are no pages to come back to.
 */
const PAGE =
  /^\/(?!(?:[\w-]+\/)*sign-|(?:link|organisation|tiles|assets)(?![\w-]))(?:[\w-]+(?:\/[\w-]+)*(?:\.csv)?)?(?:\?[\x21-\x7e]*)?$/

export function rememberPage(res: Response): void {
  const { req } = res
  const address = req.method === 'POST' ? pageOfForm(req) : req.url
  if (address === undefined || address.length > ADDRESS_MAX || !PAGE.test(address)) return
  setCookie(res, besideSession(req.visit.place, 'to'), pagePath(address), WAY_BACK_KEPT_MS)
}

/** A script asked for a part of a page, or a link for a file of it: the person looks at the page. */
function pagePath(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  searchParams.delete('part')
  const path = pathname.replace(/\.csv$/, '')
  return searchParams.size === 0 ? path : `${path}?${searchParams.toString()}`
}

/** The form itself is not sent again. */
function pageOfForm({ headers: { referer = '' }, visit: { place } }: Request): string | undefined {
  const start = place.origin + place.app
  return referer.startsWith(`${start}/`) ? referer.slice(start.length) : undefined
}

export const hasWayBack = (req: Request): boolean => rememberedPage(req) !== undefined

function rememberedPage(req: Request): string | undefined {
  const sent = readCookie(req, besideSession(req.visit.place, 'to')) ?? ''
  const address = /%(?![0-9a-f]{2})/i.test(sent) ? '' : decodeURIComponent(sent)
  return PAGE.test(address) ? address : undefined
}

/** After a sign-in. */
export function goBack(res: Response): void {
  const address = rememberedPage(res.req)
  if (address !== undefined) clearCookie(res, besideSession(res.req.visit.place, 'to'))
  goTo(res, address ?? '')
}
