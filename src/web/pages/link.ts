/**
 * GET and POST /app/link: signs in by a one-time link. The page has one button, and only the button spends the link: a
 * scanner of mails that opens the address spends nothing.
 */
import type { RequestHandler } from 'express'
import { hashSecret, isLinkToken } from '../../access/secret.js'
import { withDeadline } from '../../db/connect.js'
import { meteredLookUp } from '../../http/authenticate.js'
import type { Services } from '../../services.js'
import { linkNotValid } from '../refusals.js'
import { textField } from '../form.js'
import { html, type Html } from '../html.js'
import type { Page } from '../layout.js'
import { roleName } from '../roles.js'
import { goTo, sendPage } from '../send-page.js'
import { clientOf } from '../session.js'
import { spendLink } from '../sign-in/link.js'
import { providerButton } from '../sign-in/provider-button.js'
import { replaceSession } from '../sign-out.js'
import { linkOffered, type OfferedLink } from '../statements.js'
import { placeOfRequest, type Web } from '../web.js'

export function linkRoute(services: Services, { db, openId }: Web): RequestHandler {
  return async (req, res) => {
    const token = linkToken(req.asked.get('t')?.[0])
    const hash = hashSecret(token)
    const find = async () => (await linkOffered(withDeadline(db, req.deadline), hash))[0]
    const offer = await meteredLookUp(services, { hash: hash.toString('hex'), find }, req, res)
    if (!offer) throw linkNotValid()
    sendPage(res, linkPage({ offer, token, app: placeOfRequest(req).app, provider: openId?.name }))
  }
}

export function spendLinkRoute(services: Services, web: Web): RequestHandler {
  const { db } = web
  const { metrics } = services
  return async (req, res) => {
    const token = linkToken(textField(req, 't'))
    const client = clientOf(req, services)
    const spend = () =>
      db.change('src/web/sign-in/link.ts: spendLink', (run) => spendLink(run, token, client), {
        deadline: req.deadline,
      })
    const hash = hashSecret(token).toString('hex')
    const session = await meteredLookUp(services, { hash, find: spend }, req, res)
    metrics.countSignIn('link', session === undefined ? 'refused' : 'accepted')
    if (session === undefined) throw linkNotValid()
    await replaceSession(services, web, res, session)
    goTo(res, '')
  }
}

/** A mistyped token costs no query. */
function linkToken(token: string | undefined): string {
  if (token === undefined || !isLinkToken(token)) throw linkNotValid()
  return token
}

type LinkPage = { offer: OfferedLink; token: string; app: string; provider: string | undefined }

/** The form holds the token, so that the address of the next page does not. */
const linkPage = ({ offer, token, app, provider }: LinkPage): Page => ({
  title: `Sign in to ${offer.orgName}`,
  body: html`<section class="card narrow">
    ${greeting(offer)} ${provider !== undefined && withProvider(app, provider, token)}
    <form method="post" action="${app}/link">
      <input type="hidden" name="t" value="${token}" />
      <button class="${provider === undefined ? 'primary' : 'plain'} wide">
        ${provider === undefined ? 'Sign in' : 'Sign in this once, with the link alone'}
      </button>
    </form>
    <p class="quiet">The link works once. This browser then stays signed in for up to seven days.</p>
  </section>`,
})

/** The link then connects the person with the account at the provider. */
const withProvider = (app: string, provider: string, token: string): Html =>
  html`<p>${providerButton(app, provider, token)}</p>
    <p class="quiet">From then on you sign in with ${provider}, without a link.</p>`

const greeting = ({ orgName, role, name }: OfferedLink): Html =>
  html`<p class="lead">
    ${name === null ? 'You sign in' : html`<strong>${name}</strong>, you sign in`} to
    <strong>${orgName}</strong> as ${roleName(role)}.
  </p>`
