/**
 * GET /app/find: finds what a person has in hand, such as a request id from an error, the last four characters of a key,
 * a frame, a unit or an entry of the ledger, and shows it with what is near it. A role finds what its pages show.
 */
import type { Request, RequestHandler } from 'express'
import { mayAs } from '../../core/access/roles.js'
import { withDeadline } from '../../core/db/connect.js'
import { decode } from '../../api/http/query.js'
import type { Services } from '../../services.js'
import { html, type Html } from '../shell/html.js'
import { badAddress } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import type { Web } from '../shell/web.js'
import { findPlaces } from './find-places.js'
import { findRecords } from './find-records.js'

const TEXT_MAX = 200

export function findRoute(services: Services, { db }: Web): RequestHandler {
  return async (req, res) => {
    const text = textOf(req)
    const { deadline } = req.context
    const secret = /svc_(?:sk|se|in)_\w+/.exec(text)?.[0]
    // A secret is looked for by its end alone, and the page does not repeat it.
    const words = secret === undefined ? text : secret.slice(-4)
    const { app } = req.visit.place
    const reads = withDeadline(db, deadline)
    const found =
      words === ''
        ? []
        : [
            ...(await findRecords(
              { reads, session: sessionOf(req), app, reader: services.readerForRequest(deadline) },
              words,
            )),
            ...(secret === undefined
              ? await findPlaces({ reader: services.readerForRequest(deadline), app }, words)
              : []),
          ]
    sendPage(res, {
      title: words === '' ? 'Find' : `Found for “${words}”`,
      found: words,
      body: html`${secret !== undefined && SECRET_NOTE} ${found} ${found.length === 0 && adviceFor(req, words)}`,
    })
  }
}

function textOf({ context: { asked } }: Request): string {
  const [sent = '', ...more] = asked.get('q') ?? []
  const text = decode(sent.replaceAll('+', ' '))?.trim()
  if (text === undefined || more.length > 0 || text.length > TEXT_MAX || text.includes('\0'))
    throw badAddress(`q: one text of at most ${TEXT_MAX} characters is accepted.`)
  return text
}

const SECRET_NOTE = html`<p class="notice warn" role="alert">
  This was the secret of a key. It now stands in the history of this browser: roll the key if others use the browser.
  Its last four characters are enough to find it.
</p>`

function adviceFor(req: Request, words: string): Html {
  const isAdmin = mayAs(sessionOf(req).role, 'admin')
  return html`${words !== '' && html`<p class="lead">Nothing here has this name, number or id.</p>`}
    <p>These are found:</p>
    <ul>
      <li>a frame by its id, its coordinates or a Plus Code; a state, LGA or ward by its name or code</li>
      <li>a dataset by its name or id</li>
      <li>a charge by the id of its request${isAdmin && ', or by its number in the ledger'}</li>
      ${
        isAdmin &&
        html`<li>a key by its name, its id, or the last four characters of its secret</li>
          <li>an event by its number</li>
          <li>
            a call that failed by its request id, for 90 days: of each key, the last call a day with the same code. The
            log of the service has all of them.
          </li>`
      }
    </ul>`
}
