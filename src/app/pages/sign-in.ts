/** GET /app/sign-in: says how to sign in. There are no passwords. */
import type { RequestHandler } from 'express'
import { html } from '../shell/html.js'
import { firstPath, type PageContent } from '../shell/layout.js'
import { goTo, sendPage } from '../shell/send-page.js'
import { passkeyForm, providerButton, relyingPartyOf } from '../sign-in/passkey-form.js'
import type { Visit } from '../shell/visit.js'
import { hasWayBack } from '../shell/way-back.js'
import type { Web } from '../shell/web.js'
import { sessionOf } from '../shell/session.js'

export function signInRoute({ openId }: Web): RequestHandler {
  return (req, res) => {
    if (req.visit.session) return goTo(res, '')
    sendPage(res, signInPage(req.visit, openId?.name, hasWayBack(req)))
  }
}

const signInPage = ({ place, isEmbedded }: Visit, provider: string | undefined, isOnTheWay: boolean): PageContent => ({
  title: 'Sign in',
  scripts: ['passkey.js'],
  body: html`${isOnTheWay && html`<p class="notice" role="status">Then you come back to the page that you opened.</p>`}
    <section class="panel narrow">
      ${provider !== undefined && html`<p>${providerButton(place.app, provider)}</p>`}
      ${
        relyingPartyOf(place) &&
        passkeyForm({ action: `${place.app}/sign-in/passkey`, kind: 'get', button: 'Sign in with a passkey' })
      }
      <p class="lead">${provider === undefined ? 'Open' : 'Or open'} the sign-in link that you were sent.</p>
      <p>A link works once. There are no passwords here.</p>
      <ul>
        <li>You work in an organisation: one of its Owners makes a link for you on the page Members.</li>
        ${
          isEmbedded
            ? html`<li>You just started the service on this machine: the link stands in the start message.</li>`
            : html`<li>Nobody there is an Owner yet: the operator of this service makes the first link.</li>`
        }
      </ul>
    </section>`,
})

/** GET /app: other programs lead to the map with a query, and know no other path. */
export const homeRoute: RequestHandler = (req, res) => {
  const at = req.url.indexOf('?')
  goTo(res, at < 0 ? firstPath(sessionOf(req).role) : `/map${req.url.slice(at)}`)
}
