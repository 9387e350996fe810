/** The page with the secret of a new key: the one answer that holds it. */
import type { KeyWithSecret } from '../../core/access/keys.js'
import { copyable, factList, instant } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { rightsOf } from '../shell/key-state.js'
import type { PageContent } from '../shell/layout.js'
import type { ServedAt } from '../../core/origin.js'

/** The call that the page offers to try: it needs no parameter, and every preset opens it. */
const TRIED = '/v1/states'

/** `before`: what the person has to know at once, such as what becomes of the key that this one replaces. */
export function mintedPage(key: KeyWithSecret, place: ServedAt, before?: Html | false): PageContent {
  const { origin, basePath, app } = place
  const curl = `curl -H "Authorization: Bearer ${key.secret}" '${origin}${basePath}${TRIED}'`
  return {
    title: 'Copy the secret now',
    section: '/keys',
    body: html`
      <section class="card good-edge" role="status">
        <h2>${key.name}</h2>
        <p>This is the secret. It is shown this once: the service keeps its hash only.</p>
        ${copyable('secret', key.secret)} ${before}
      </section>
      <section class="card">
        <h2>Use it</h2>
        <h3>In a shell</h3>
        ${copyable('curl-line', curl)}
        <h3>In a file of settings</h3>
        ${copyable('env-line', `FRAMES_KEY=${key.secret}`)}
        <div class="try" data-secret="secret" data-address="${basePath}${TRIED}" hidden>
          <button type="button" class="primary">Try it</button>
          <span class="quiet">Calls <code>GET ${TRIED}</code> with this key, from this browser.</span>
          <p role="status"></p>
          <pre hidden tabindex="0" role="region" aria-label="Answer"></pre>
        </div>
      </section>
      ${factList([
        ['Key', html`<code>${key.keyId}</code>`],
        ['May', rightsOf(key)],
        ['Datasets', key.datasets?.join(', ') ?? 'every dataset that the organisation can read'],
        ['Valid until', instant(new Date(key.expiresAt))],
      ])}
      <div class="actions">
        <a class="button" href="${app}/keys/${key.keyId}">I have copied it</a>
        <a class="button" href="${basePath}/v1/docs">Documentation of the calls</a>
      </div>
    `,
  }
}
