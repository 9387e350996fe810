/**
 * After a form the browser asks for a page anew, which says once what the form did. A cookie names the sentence until
 * then: an address would say it again with each reload, and to everybody who is sent it.
 */
import type { Request, Response } from 'express'
import { besideSession, clearCookie, readCookie, setCookie } from './cookie.js'
import { goTo } from './send-page.js'

/** The browser asks for the page at once. */
const NOTICE_KEPT_MS = 60_000

export function goToWithNotice(res: Response, path: string, done: string): void {
  setCookie(res, besideSession(res.req.visit.place, 'done'), done, NOTICE_KEPT_MS)
  goTo(res, path)
}

/** Pages show sentences of their own only: a cookie that somebody made up shows nothing. */
export function takeNotice(req: Request, notices: Readonly<Record<string, string>>): string | undefined {
  const place = besideSession(req.visit.place, 'done')
  const name = readCookie(req, place)
  if (name === undefined || !req.res) return undefined
  clearCookie(req.res, place)
  return Object.hasOwn(notices, name) ? notices[name] : undefined
}
