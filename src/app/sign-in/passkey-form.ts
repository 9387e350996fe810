/** The ways to sign in that a page offers beside a link: by a passkey, where this service has them, or a provider. */
import { isIP } from 'node:net'
import { html, type Html } from '../shell/html.js'
import type { ServedAt } from '../../core/origin.js'

type PasskeyForm = { action: string; kind: 'create' | 'get'; button: string; fields?: Html }

/** Without the script, or in a browser that knows no passkeys, the note stays and the form is not shown. */
export const passkeyForm = ({ action, kind, button, fields }: PasskeyForm): Html =>
  html`<p class="quiet" data-passkey-note>
      ${kind === 'create' ? 'Adding' : 'Using'} a passkey takes a browser of 2025 or later, with scripts switched on.
    </p>
    <div data-passkey-part hidden>
      <form class="${kind === 'create' && 'form'}" method="post" action="${action}" data-passkey="${kind}">
        <input type="hidden" name="answer" />
        ${fields}
        <button class="${kind === 'get' && 'wide'}">${button}</button>
        <p class="fault" role="status"></p>
      </form>
    </div>`

/** The name by which authenticators know this service: a passkey works for that name only. */
export type RelyingParty = { id: string; origin: string }

/** Undefined at an IP address: browsers refuse passkeys there. */
export function relyingPartyOf({ origin }: ServedAt): RelyingParty | undefined {
  const { hostname } = new URL(origin)
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isAddress ? undefined : { id: hostname, origin }
}

/** Tells a person why there are none. */
export const WHY_NO_PASSKEYS =
  'Browsers refuse passkeys at an IP address. On this machine, set PUBLIC_URL to http://localhost and the port.'

/** `link` is the token of the link that the person came by. */
export const providerButton = (app: string, provider: string, link?: string): Html =>
  html`<a class="button primary wide" href="${app}/sign-in/openid${link !== undefined && `?t=${link}`}" rel="nofollow"
    >Sign in with ${provider}</a
  >`
