/** Finds the session of a request, and opens sessions. */
import { sql } from 'kysely'
import type { Session } from './rows.js'
import type { Request as ExpressRequest, RequestHandler } from 'express'
import { hashSecret, isSessionToken, mayAs, newSessionToken, type Role } from '../../core/access/index.js'
import { builder, isLost, type RunQuery } from '../../core/db/index.js'
import { meteredLookUp } from '../../api/http/authenticate.js'
import { hangUpSignal } from '../../api/http/call.js'
import type { Services } from '../../services.js'
import { readCookie } from './cookie.js'
import { areOperators } from './settings.js'
import { notOperator, notSignedIn, roleLacking } from './refusals.js'
import { goTo } from './send-page.js'
import { rememberPage } from './way-back.js'
import { IDLE_HOURS, SESSION_DAYS } from './session-life.js'
import { sessionHolder } from './statements.js'
import type { Visit } from './visit.js'
import type { Web } from './web.js'

/** Returns the session of a request that passed `allow`. */
export function sessionOf({ visit: { session } }: Pick<ExpressRequest, 'visit'>): Session {
  if (!session) throw new Error('This request has no session.')
  return session
}

/** Every request reads the session, and so the person's role, from the database: a change of either holds at once. */
export function findSession(services: Services, { operators, isPrimaryAway }: Web): RequestHandler {
  return async (req, res, next) => {
    const { db, place } = req.visit
    const token = readCookie(req, place)
    if (token === undefined || !isSessionToken(token)) return next()
    const tokenHash = hashSecret(token)
    const find = async () => (await sessionHolder(db, tokenHash, IDLE_HOURS))[0]
    const holder = await meteredLookUp(services, { hash: tokenHash.toString('hex'), find }, req, res)
    if (holder) {
      req.context.person = holder
      const isRead = req.method === 'GET' || req.method === 'HEAD'
      const hangUp = isRead ? { hangUp: hangUpSignal(res) } : {}
      req.context.deadline = { ...req.context.deadline, person: holder.personId, ...hangUp }
      req.visit.session = { ...holder, tokenHash, isOfOperators: areOperators(operators, holder) }
      if (holder.isStale && !isPrimaryAway()) await touch(db, tokenHash)
    }
    next()
  }
}

/** Lets a person pass whose role is high enough. `anyone` needs no session. */
export function allow(least: Role | 'anyone'): RequestHandler {
  return (req, res, next) => {
    if (least === 'anyone') return next()
    if (!req.visit.session) {
      const isPage = !req.visit.isFromScript && (req.method === 'GET' || req.method === 'HEAD')
      if (!req.visit.isFromScript) rememberPage(res)
      if (isPage) return goTo(res, '/sign-in')
      throw notSignedIn()
    }
    if (!mayAs(req.visit.session.role, least)) throw roleLacking(least)
    next()
  }
}

/** Lets those pass whose organisation is one of operators. `allow` checked their role in it. */
export const forOperators =
  (route: RequestHandler): RequestHandler =>
  (req, res, next) => {
    const { isOfOperators, orgId } = sessionOf(req)
    if (!isOfOperators) throw notOperator(orgId)
    return route(req, res, next)
  }

/** The database's clock says when a session ends, so it also says when one began. */
const now = sql<Date>`statement_timestamp()`

/**
 * The row says to the minute when the person was last here: a write for each request would cost more than it tells. While
 * the primary is away, nothing is written.
 */
async function touch(db: Visit['db'], tokenHash: Buffer): Promise<void> {
  const touched = db.change('src/app/shell/session.ts: touch', (run) =>
    run(builder.updateTable('session').set({ seen_at: now }).where('token_hash', '=', tokenHash)),
  )
  await touched.catch((fault: unknown) => {
    if (!isLost(fault)) throw fault
  })
}

export type NewSession = {
  personId: string
  orgId: string
  madeBy: 'link' | 'openid' | 'passkey'
  address: string | undefined
  browser: string | undefined
}

/** Returns the token. A sign-in never takes over a token that the browser brings. */
export async function openSession(run: RunQuery, { personId, orgId, madeBy, address, browser }: NewSession) {
  const token = newSessionToken()
  await removeEnded(run, personId)
  await run(
    builder.insertInto('session').values({
      token_hash: hashSecret(token),
      person_id: personId,
      org_id: orgId,
      made_by: madeBy,
      from_address: address ?? null,
      browser: browser ?? null,
      created_at: now,
      seen_at: now,
      ends_at: sql<Date>`${now} + make_interval(days => ${SESSION_DAYS})`,
    }),
  )
  return token
}

/** Says where a sign-in comes from, for the list of sessions and for events. */
export const clientOf = (req: ExpressRequest) => ({
  address: req.visit.address,
  browser: browserName(req.get('User-Agent')),
})

/** A session that has ended keeps its row for so long: the members page says when its person was last here. */
const KEPT_DAYS = 30
/** A sign-in waits for the removal. */
const REMOVED_AT_ONCE = 100

/**
 * Sessions and links that have ended sign nobody in. Each sign-in removes those of its person and some of the others. It
 * leaves rows that another sign-in has locked, so that the two never wait for each other.
 */
async function removeEnded(run: RunQuery, personId: string): Promise<void> {
  const idleSince = sql<Date>`${now} - make_interval(hours => ${IDLE_HOURS})`
  await run(
    builder
      .deleteFrom('session')
      .where('person_id', '=', personId)
      .where((ended) => ended.or([ended('ends_at', '<=', now), ended('seen_at', '<=', idleSince)])),
  )
  const keptSince = sql<Date>`${now} - make_interval(days => ${KEPT_DAYS})`
  const sessions = builder.selectFrom('session').select('token_hash').where('ends_at', '<=', keptSince)
  const oldest = sessions.orderBy('ends_at').limit(REMOVED_AT_ONCE).forUpdate().skipLocked()
  await run(builder.deleteFrom('session').where('token_hash', 'in', oldest))
  const links = builder.selectFrom('sign_in_link').select('token_hash').where('valid_until', '<=', now)
  const oldestLinks = links.orderBy('valid_until').limit(REMOVED_AT_ONCE).forUpdate().skipLocked()
  await run(builder.deleteFrom('sign_in_link').where('token_hash', 'in', oldestLinks))
}

/** The first pattern that matches counts: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Such as "Firefox on Linux", for the list of sessions: the whole User-Agent would say more about a person. */
export function browserName(userAgent: string | undefined): string | undefined {
  const nameIn = (known: readonly [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system
}
