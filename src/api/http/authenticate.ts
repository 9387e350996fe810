/** Finds the caller by the key in the Authorization header. Every request looks its key up: nothing is cached. */
import type { Request as ExpressRequest, Response } from 'express'
import {
  type Authority,
  hashSecret,
  isTestSecret,
  isWellFormed,
  PREFIX,
  testAuthority,
  testPurpose,
} from '../../core/access/index.js'
import { invalidKey, rateLimited, unauthorized } from '../../core/errors.js'
import { waitSeconds } from '../../core/limits/index.js'
import type { Services } from '../../services.js'
import { clientAddress } from '../../core/client-address.js'
import { setRateLimitHeaders } from './meter.js'

const AUTHORIZATION = 'authorization'
export const NO_KEY = 'An API key is needed: send "Authorization: Bearer svc_sk_...".'

/** A key that is not accepted never counts as no key: its prefix shows that the caller meant one. */
export async function findCaller(
  services: Services,
  hash: string,
  req: ExpressRequest,
  res: Response,
): Promise<Authority> {
  const find = () => services.findAuthority(hash, req.context.deadline)
  const test = testAuthority(hash)
  const caller = test ? services.testKeys && test : await meteredLookUp(services, { hash, find }, req, res)
  if (!caller) throw invalidKey()
  // The log names it for refused calls too.
  req.context.caller = caller
  if (testPurpose(caller) === '401') throw invalidKey()
  return caller
}

/** The SHA-256 of the secret that the request came with, in hexadecimal. A request without a secret is refused. */
export function keyHashOf({ rawHeaders }: ExpressRequest): string {
  const secret = secretOf(rawHeaders)
  if (!isWellFormed(secret) && !isTestSecret(secret)) throw invalidKey()
  return hashSecret(secret).toString('hex')
}

type KeyLookUp<Found> = {
  hash: string
  find: () => Promise<Found | undefined>
  /** Visitors who sign in without a known address share one bucket: otherwise they could write rows without a limit. */
  isSignIn?: boolean
}

const NO_ADDRESS = 'no address'

/** A lookup costs a query. The bucket of the client's address pays for it until the secret is known to be good. */
export async function meteredLookUp<Found>(
  { addressBuckets, trustedHeader, metrics }: Services,
  { hash, find, isSignIn = false }: KeyLookUp<Found>,
  req: ExpressRequest,
  res: Response,
): Promise<Found | undefined> {
  if (addressBuckets === undefined) return await find()
  const addressOf = () => clientAddress(req, trustedHeader) ?? (isSignIn ? NO_ADDRESS : undefined)
  const answer = await addressBuckets.meterLookUp(addressOf, hash, find)
  if ('found' in answer) return answer.found
  const { refused } = answer
  metrics.count('frames_bucket_refusals_total', { bucket: refused.name })
  setRateLimitHeaders(res, refused)
  throw rateLimited(refused.name, refused, waitSeconds(refused))
}

/** Node silently keeps the first of two Authorization headers: the raw headers show both. */
function secretOf(rawHeaders: readonly string[]): string {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    // The comparison of lengths spares a lower-case copy of every other name.
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION)
      values.push(rawHeaders[i + 1] ?? '')
  }
  if (values.length === 0) throw unauthorized(NO_KEY)
  if (values.length > 1) throw unauthorized(`One Authorization header is accepted, ${values.length} came.`)
  const [, token] = /^Bearer +(\S.*)$/i.exec(values[0]?.trim() ?? '') ?? []
  if (!token?.startsWith(PREFIX)) {
    throw unauthorized('The Authorization header holds no API key: "Bearer svc_sk_..." is accepted.')
  }
  return token
}
