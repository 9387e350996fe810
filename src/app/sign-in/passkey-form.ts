/** A form that a script sends with the answer of an authenticator. */
import { html, type Html } from '../shell/html.js'

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
