/** The button that leads to the OpenID provider. */
import { html, type Html } from '../shell/html.js'

/** `link` is the token of the link that the person came by. */
export const providerButton = (app: string, provider: string, link?: string): Html =>
  html`<a class="button primary wide" href="${app}/sign-in/openid${link !== undefined && `?t=${link}`}" rel="nofollow"
    >Sign in with ${provider}</a
  >`
