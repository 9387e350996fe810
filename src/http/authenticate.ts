/** Who asks: the key in the Authorization header, looked up anew for every request. */
import type { Request as Call, RequestHandler, Response } from 'express'
import type { Authority } from '../access/authority.js'
import { hashSecret, isWellFormed, PREFIX } from '../access/secret.js'
import { invalidKey, rateLimited, unauthorized } from '../errors.js'
import { waitSeconds } from '../limits/buckets.js'
import type { Services } from '../services.js'
import { clientAddress } from './client-address.js'
import { sayPosition } from './position.js'

const AUTHORIZATION = 'authorization'
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
export function authenticate(services: Services): RequestHandler {
  return async (req, res, next) => {
    const secret = secretOf(req.rawHeaders)
    if (!isWellFormed(secret)) throw invalidKey()
    const caller = await lookUp(services, hashSecret(secret).toString('hex'), req, res)
    if (!caller) throw invalidKey()
    req.caller = caller
    next()
  }
}

/** A lookup costs a query: the address of the client pays for it, for as long as the key is not known to be good. */
async function lookUp(services: Services, keyHash: string, req: Call, res: Response): Promise<Authority | undefined> {
  const { findAuthority, addressBuckets, trustedHeader, metrics } = services
  const find = () => findAuthority(keyHash, req.deadline)
  const address = addressBuckets && clientAddress(req, trustedHeader)
  if (addressBuckets === undefined || address === undefined) return await find()
  const answer = await addressBuckets.meterLookUp(address, keyHash, find)
  if ('found' in answer) return answer.found
  const { refused } = answer
  metrics.countRefusal(refused.name)
  sayPosition(res, refused)
  throw rateLimited(refused.name, refused, waitSeconds(refused))
}

/** Node keeps the first of two Authorization headers and says nothing: the raw headers show both. */
function secretOf(rawHeaders: readonly string[]): string {
  const given: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    // Comparing lengths first spares a copy in lower case of every other header.
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION)
      given.push(rawHeaders[i + 1] ?? '')
  }
  if (given.length === 0) throw unauthorized(NO_KEY)
  if (given.length > 1) throw unauthorized(`One Authorization header is accepted, ${given.length} came.`)
  const [, token] = /^Bearer +(\S.*)$/i.exec(given[0]?.trim() ?? '') ?? []
  if (!token?.startsWith(PREFIX)) {
    throw unauthorized('The Authorization header holds no API key: "Bearer svc_sk_..." is accepted.')
  }
  return token
}
