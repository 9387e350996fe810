/**
 * GET and POST /app/link: signs in by a one-time link. The page has one button, and only the button spends the link: a
 * scanner of mails that opens the address spends nothing.
 */
import type { RequestHandler, Response } from 'express'
import type { OfferedLink, Session } from '../shell/rows.js'
import { hashSecret, isLinkToken, roleName } from '../../core/access/index.js'
import { meteredLookUp } from '../../api/http/authenticate.js'
import type { Services } from '../../services.js'
import { mapFiles } from '../shell/assets.js'
import { changeAs } from '../shell/change.js'
import { linkNotValid, notSignedIn } from '../shell/refusals.js'
import { textField } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { goTo, sendPage } from '../shell/send-page.js'
import { clientOf } from '../shell/session.js'
import { joinFromSession, spendLink } from '../sign-in/link.js'
import { providerButton } from '../sign-in/passkey-form.js'
import { replaceSession } from '../shell/sign-out.js'
import { linkOffered } from '../shell/statements.js'
import { goBack } from '../shell/way-back.js'
import type { Visit } from '../shell/visit.js'
import type { Web } from '../shell/web.js'

export function linkRoute(services: Services, { openId }: Web): RequestHandler {
  return async (req, res) => {
    const token = linkToken(req.context.asked.get('t')?.[0])
    const hash = hashSecret(token)
    const find = async () => (await linkOffered(req.visit.db, hash))[0]
    const offer = await meteredLookUp(services, { hash: hash.toString('hex'), find, isSignIn: true }, req, res)
    if (!offer) throw linkNotValid()
    sendPage(res, linkPage(req.visit, { offer, token, provider: openId?.name }))
  }
}

export function spendLinkRoute(services: Services): RequestHandler {
  const { metrics } = services
  return async (req, res) => {
    const token = linkToken(textField(req, 't'))
    if (textField(req, 'as') === 'present') return await joinAsPresent(services, res, token)
    const client = clientOf(req)
    const spend = () =>
      req.visit.db.change('src/app/sign-in/link.ts: spendLink', (run) => spendLink(run, token, client))
    const hash = hashSecret(token).toString('hex')
    const session = await meteredLookUp(services, { hash, find: spend, isSignIn: true }, req, res)
    metrics.count('frames_sign_ins_total', { way: 'link', outcome: session === undefined ? 'refused' : 'accepted' })
    if (session === undefined) throw linkNotValid()
    await replaceSession(res, session)
    goBack(res)
  }
}

/** The person who is signed in joins with the same account, and stays signed in. */
async function joinAsPresent(services: Services, res: Response, token: string): Promise<void> {
  const { req } = res
  const { session } = req.visit
  if (!session) throw notSignedIn()
  const hash = hashSecret(token).toString('hex')
  const find = () =>
    changeAs(req, 'src/app/sign-in/link.ts: joinFromSession', (run) => joinFromSession(run, token, session))
  if (!(await meteredLookUp(services, { hash, find, isSignIn: true }, req, res))) throw linkNotValid()
  goTo(res, '')
}

/** A mistyped token costs no query. */
function linkToken(token: string | undefined): string {
  if (token === undefined || !isLinkToken(token)) throw linkNotValid()
  return token
}

type Offer = { offer: OfferedLink; token: string; provider: string | undefined }

const linkPage = ({ place: { app }, session }: Visit, { offer, token, provider }: Offer): PageContent => {
  const canJoin = session !== undefined && offer.personId === null
  return {
    ahead: mapFiles,
    title: canJoin ? `Join ${offer.orgName}` : `Sign in to ${offer.orgName}`,
    body: html`<section class="panel narrow">
      ${session ? signedInGreeting(offer, session) : greeting(offer)}
      ${canJoin && linkForm({ app, token, as: 'present', button: `Join as ${session.name}`, isFirst: true })}
      ${provider !== undefined && !session && withProvider(app, provider, token)}
      ${linkForm({
        app,
        token,
        button: signInButton(offer, provider, session),
        isFirst: !canJoin && (provider === undefined || session !== undefined),
      })}
      ${session && html`<p class="quiet">${endOfSession(offer, session)}</p>`}
      <p class="quiet">The link works once. This browser then stays signed in for up to seven days.</p>
    </section>`,
  }
}

type LinkForm = { app: string; token: string; button: string; isFirst: boolean; as?: string }

/** The form holds the token, so that the address of the next page does not. */
const linkForm = ({ app, token, button, isFirst, as }: LinkForm): Html =>
  html`<form method="post" action="${app}/link">
    <input type="hidden" name="t" value="${token}" />
    ${as !== undefined && html`<input type="hidden" name="as" value="${as}" />`}
    <button class="${isFirst ? 'primary' : 'plain'} wide">${button}</button>
  </form>`

function signInButton({ name, personId }: OfferedLink, provider: string | undefined, session?: Session): string {
  if (session && personId === null) return `Sign in as another person${name === null ? '' : `, ${name}`}`
  if (session) return `Sign in as ${name ?? 'the person of the link'}`
  return provider === undefined ? 'Sign in' : 'Sign in this once, with the link alone'
}

/** Says what happens to the session that the browser has. */
const endOfSession = ({ personId }: OfferedLink, session: Session): string =>
  personId === null
    ? `To join keeps this session. To sign in as another person ends the session of ${session.name} in this browser, and enters a new person.`
    : `To sign in ends the present session of ${session.name} in this browser.`

const signedInGreeting = ({ orgName, role, name }: OfferedLink, session: Session): Html =>
  html`<p class="lead">
      The link invites ${name === null ? 'you' : html`<strong>${name}</strong>`} to <strong>${orgName}</strong> as
      ${roleName(role)}.
    </p>
    <p>
      You are signed in as <strong>${session.name}</strong>${session.email !== null && ` (${session.email})`}, in
      ${session.orgName}.
      ${
        session.organisations.some((each) => each.name === orgName) &&
        `You are a member of ${orgName} already: the link changes no role.`
      }
    </p>`

/** The link then connects the person with the account at the provider. */
const withProvider = (app: string, provider: string, token: string): Html =>
  html`<p>${providerButton(app, provider, token)}</p>
    <p class="quiet">From then on you sign in with ${provider}, without a link.</p>`

const greeting = ({ orgName, role, name }: OfferedLink): Html =>
  html`<p class="lead">
    ${name === null ? 'You sign in' : html`<strong>${name}</strong>, you sign in`} to
    <strong>${orgName}</strong> as ${roleName(role)}.
  </p>`
