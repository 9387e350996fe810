/**
 * After a form the browser asks for a page anew, which says once what the form did. A cookie names the sentence until
 * then: an address would say it again with each reload, and to everybody who is sent it.
 */
import type { Request, Response } from 'express'
import { besideSession, clearCookie, readCookie, setCookie } from './cookie.js'

/** The browser asks for the page at once. */
const NOTICE_KEPT_MS = 60_000

export const keepNotice = (res: Response, done: string): void =>
  setCookie(res, besideSession(res.req.visit.place, 'done'), done, NOTICE_KEPT_MS)

/** By the names of the changes: where each sentence is shown. */
export type Notices = Readonly<Record<string, { section: string; text: string }>>

/** Pages show sentences of their own only: a cookie that somebody made up shows nothing. */
export function takeNotice(req: Request, section: string | undefined): string | undefined {
  const place = besideSession(req.visit.place, 'done')
  const name = readCookie(req, place) ?? ''
  const notice = Object.hasOwn(req.visit.notices, name) ? req.visit.notices[name] : undefined
  if (!notice || notice.section !== section || !req.res) return undefined
  clearCookie(req.res, place)
  return notice.text
}
