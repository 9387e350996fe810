/** The cookie that holds the token of a session, and those beside it. Requests outside the app are never looked at for it. */
import type { Request, Response } from 'express'
import type { ServedAt } from '../../core/origin.js'
import { SESSION_DAYS } from './session-life.js'

/** Undefined where the cookie is absent, or came twice: then a page of another host may have set one of the two. */
export function readCookie({ headers }: Request, { cookie }: ServedAt): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookie.name}=`))
    .map((pair) => pair.slice(cookie.name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

/** Other cookies have the place and the protection of the session's. */
export const besideSession = (place: ServedAt, kind: 'attempt' | 'done' | 'to'): ServedAt => ({
  ...place,
  cookie: { ...place.cookie, name: `${place.cookie.name}-${kind}` },
})

const attributes = ({ cookie: { path, secure } }: ServedAt) => ({
  path,
  secure,
  httpOnly: true,
  sameSite: 'lax' as const,
})

const SESSION_MS = SESSION_DAYS * 86_400_000

export function setCookie(res: Response, place: ServedAt, token: string, maxAge = SESSION_MS): void {
  res.cookie(place.cookie.name, token, { ...attributes(place), maxAge })
}

export function clearCookie(res: Response, place: ServedAt): void {
  res.clearCookie(place.cookie.name, attributes(place))
}
