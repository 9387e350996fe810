/** Who asks: the key in the Authorization header, looked up anew for every request. */
import type { RequestHandler } from 'express'
import type { Authority, FindAuthority } from '../access/authority.js'
import { isWellFormed, PREFIX } from '../access/secret.js'
import { invalidKey, unauthorized } from '../errors.js'

export const NO_KEY = 'An API key is needed: send "Authorization: Bearer svc_sk_...".'

declare module 'express-serve-static-core' {
  interface Request {
    /** Set once the key is accepted. */
    caller?: Authority
  }
}

/** Of a call that was let in. */
export function callerOf(req: { caller?: Authority }): Authority {
  if (!req.caller) throw new Error('This call was not authenticated.')
  return req.caller
}

/** A key that is not accepted is never taken for no key: the prefix shows that one was meant. */
export function authenticate(find: FindAuthority): RequestHandler {
  return async (req, _res, next) => {
    const secret = secretOf(req.rawHeaders)
    if (!isWellFormed(secret)) throw invalidKey()
    const caller = await find(secret)
    if (!caller) throw invalidKey()
    req.caller = caller
    next()
  }
}

/** Node keeps the first of two Authorization headers and says nothing: the raw headers show both. */
function secretOf(rawHeaders: readonly string[]): string {
  const given: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === 'authorization') given.push(rawHeaders[i + 1] ?? '')
  }
  if (given.length === 0) throw unauthorized(NO_KEY)
  if (given.length > 1) throw unauthorized(`One Authorization header is accepted, ${given.length} came.`)
  const [, token] = /^Bearer +(\S.*)$/i.exec(given[0]?.trim() ?? '') ?? []
  if (!token?.startsWith(PREFIX)) {
    throw unauthorized('The Authorization header holds no API key: "Bearer svc_sk_..." is accepted.')
  }
  return token
}
