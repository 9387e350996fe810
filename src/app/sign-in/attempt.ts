/**
 * Keeps the state of a sign-in between two requests. The token of an attempt travels in the answer of the provider
 * (`state`) or of the authenticator (the challenge). A cookie binds it to the browser that began, so that nobody can
 * make another browser finish it. One cookie serves several tabs.
 */
import { sql } from 'kysely'
import type { Request as ExpressRequest, Response } from 'express'
import { hashSecret, randomText } from '../../core/access/index.js'
import { builder } from '../../core/db/index.js'
import { besideSession, clearCookie, readCookie, setCookie } from '../shell/cookie.js'
import type { ServedAt } from '../../core/origin.js'
import type { AttemptChecks } from '../openid/provider.js'

/** The app checks the second request against these. */
type Payloads = {
  openid: Omit<AttemptChecks, 'state'> & {
    /** SHA-256 of the link that the person came by. */
    link: string | undefined
  }
  passkey: {
    /** The person who adds a passkey; undefined for a sign-in. */
    personId: string | undefined
  }
}
type AttemptKind = keyof Payloads
export type OpenIdAttempt = Payloads['openid']

/** A person needs some minutes for a password and a second factor. */
const ATTEMPT_MINUTES = 10
const BROWSER_TOKEN = /^[0-9A-Za-z]{43}$/

const now = sql<Date>`statement_timestamp()`

const attemptPlace = (place: ServedAt): ServedAt => besideSession(place, 'attempt')

function browserOf(req: ExpressRequest): string | undefined {
  const token = readCookie(req, attemptPlace(req.visit.place))
  return token !== undefined && BROWSER_TOKEN.test(token) ? token : undefined
}

/** Keeps `payload` until the answer comes that holds the token. */
export async function beginAttempt<Of extends AttemptKind>(
  res: Response,
  { kind, token, payload }: { kind: Of; token: string; payload: Payloads[Of] },
): Promise<void> {
  const { req } = res
  const browser = browserOf(req) ?? randomText(43)
  await req.visit.db.change('src/app/sign-in/attempt.ts: beginAttempt', async (run) => {
    await run(builder.deleteFrom('sign_in_attempt').where('valid_until', '<=', now))
    await run(
      builder.insertInto('sign_in_attempt').values({
        token_hash: hashSecret(token),
        kind,
        // The driver would write a text that goes to jsonb as a JSON text.
        payload: sql`${JSON.stringify({ ...payload, browser: browserHash(browser) })}::text::jsonb`,
        valid_until: sql<Date>`${now} + make_interval(mins => ${ATTEMPT_MINUTES})`,
      }),
    )
  })
  setCookie(res, attemptPlace(req.visit.place), browser, ATTEMPT_MINUTES * 60_000)
}

/** Ends the attempt, so that a second answer finds none. Undefined where this browser began none with the token. */
export async function takeAttempt<Of extends AttemptKind>(
  req: ExpressRequest,
  { kind, token }: { kind: Of; token: string },
): Promise<Payloads[Of] | undefined> {
  const browser = browserOf(req)
  if (browser === undefined) return undefined
  const [taken] = await req.visit.db.change('src/app/sign-in/attempt.ts: takeAttempt', (run) =>
    run(
      builder
        .deleteFrom('sign_in_attempt')
        .where('token_hash', '=', hashSecret(token))
        .where('kind', '=', kind)
        .where('valid_until', '>', now)
        .where(sql<string>`payload ->> 'browser'`, '=', browserHash(browser))
        .returning('payload'),
    ),
  )
  return taken?.payload as Payloads[Of] | undefined
}

const browserHash = (token: string) => hashSecret(token).toString('hex')

/** After a sign-in: the next one gets a new cookie. */
export const forgetBrowser = (res: Response) => clearCookie(res, attemptPlace(res.req.visit.place))
