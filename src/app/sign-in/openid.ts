/** GET /app/sign-in/openid leads to the OpenID provider, which sends the browser back to /app/sign-in/openid/callback. */
import type { Request, RequestHandler, Response } from 'express'
import { hashSecret, isLinkToken, leavesNoOwner } from '../../core/access/index.js'
import { meteredLookUp } from '../../api/http/authenticate.js'
import type { Services } from '../../services.js'
import { linkNotValid, noSuchPage } from '../shell/refusals.js'
import { goBack } from '../shell/way-back.js'
import { clientOf } from '../shell/session.js'
import { replaceSession } from '../shell/sign-out.js'
import type { Web } from '../shell/web.js'
import { beginAttempt, forgetBrowser, type OpenIdAttempt, takeAttempt } from './attempt.js'
import { enterProved } from './enter.js'
import { type AttemptChecks, type Provider, ProviderFault } from '../openid/provider.js'
import {
  attemptNotFound,
  lastOwnerByClaim,
  noAccess,
  providerAway,
  providerInvalid,
  providerRefused,
} from './refusals.js'
import { rolesOf } from '../openid/settings.js'

/**
 * It is a link, not a form: browsers apply `form-action` of a page to the redirects of its forms too. A page of another
 * site may lead here as well: that changes nothing, and the person still chooses at the provider.
 */
export function beginOpenIdRoute(services: Services, web: Web): RequestHandler {
  return async (req, res) => {
    const provider = providerOf(web)
    const link = invitation(req)
    // The bucket of the client's address pays for the row of each attempt.
    await meteredLookUp(services, { hash: 'attempt', find: async () => undefined, isSignIn: true }, req, res)
    const { url, checks } = await provider.begin(callbackAddress(req).href).catch(asPage(services, req, provider))
    const { state, nonce, verifier } = checks
    await beginAttempt(res, { kind: 'openid', token: state, payload: { nonce, verifier, link } })
    res.redirect(303, url)
  }
}

/** The attempt keeps the hash of the link only. */
function invitation(req: Request): string | undefined {
  const token = req.context.asked.get('t')?.[0]
  if (token === undefined) return undefined
  if (!isLinkToken(token)) throw linkNotValid()
  return hashSecret(token).toString('hex')
}

export function finishOpenIdRoute(services: Services, web: Web): RequestHandler {
  const { metrics } = services
  return async (req, res) => {
    const provider = providerOf(web)
    try {
      const attempt = await attemptOf(services, req, res)
      const callback = callbackAddress(req)
      callback.search = new URL(req.originalUrl, callback).search
      const identity = await provider.finish(callback, attempt).catch(asPage(services, req, provider))
      req.visit.mayHaveChanged = true
      const signIn = {
        identity,
        roles: provider.roleClaim && rolesOf(identity.claims, provider.roleClaim),
        linkHash: attempt.link === undefined ? undefined : Buffer.from(attempt.link, 'hex'),
        client: clientOf(req),
      }
      const entering = req.visit.db.change('src/app/sign-in/enter.ts: enterProved', (run) => enterProved(run, signIn))
      const token = await entering.catch((error: unknown) => {
        throw leavesNoOwner(error) ? lastOwnerByClaim() : error
      })
      if (token === undefined) throw noAccess()
      await replaceSession(res, token)
    } catch (fault) {
      metrics.count('frames_sign_ins_total', { way: 'openid', outcome: 'refused' })
      throw fault
    }
    metrics.count('frames_sign_ins_total', { way: 'openid', outcome: 'accepted' })
    forgetBrowser(res)
    goBack(res)
  }
}

/** The app has this page only where a provider is configured. */
function providerOf({ openId }: Web): Provider {
  if (!openId) throw noSuchPage()
  return openId
}

const callbackAddress = (req: Request): URL => {
  const { origin, app } = req.visit.place
  return new URL(`${origin}${app}/sign-in/openid/callback`)
}

type Attempt = AttemptChecks & Pick<OpenIdAttempt, 'link'>

/** An answer with a state that this browser did not get is nobody's. */
async function attemptOf(services: Services, req: Request, res: Response): Promise<Attempt> {
  const [state, second] = req.context.asked.get('state') ?? []
  if (state === undefined || second !== undefined) throw attemptNotFound()
  const hash = hashSecret(state).toString('hex')
  const find = () => takeAttempt(req, { kind: 'openid', token: state })
  const attempt = await meteredLookUp(services, { hash, find, isSignIn: true }, req, res)
  if (!attempt) throw attemptNotFound()
  return { ...attempt, state }
}

/** The person reads which kind of fault it is; the log has the check that failed. */
const asPage =
  ({ log }: Services, { context: { id } }: Request, { name }: Provider) =>
  (fault: unknown): never => {
    if (!(fault instanceof ProviderFault)) throw fault
    log.warn({ requestId: id, kind: fault.kind, fault: fault.message }, 'The OpenID provider signed nobody in.')
    if (fault.kind === 'away') throw providerAway(name)
    throw fault.kind === 'refused' ? providerRefused(name, fault.message) : providerInvalid(name)
  }
