/**
 * GET /app/find: finds what a person has in hand, such as a request id from an error, the last four characters of a key,
 * a frame, a unit or an entry of the ledger, and shows it with what is near it. A role finds what its pages show.
 */
import type { Request, RequestHandler } from 'express'
import { decode } from '../../api/http/query.js'
import { coordinatesOf } from '../map/coordinates.js'
import { isShortCode, looksLikePlusCode, nearestPoint, plusCodePoint, type CodePoint } from '../map/plus-code.js'
import { middleOfIndex } from '../map/results-panel.js'
import { framesOfBox, neighboursOfUnit, type UnitNames, unitsNamed } from '../map/statements.js'
import { queryOf } from '../map/view.js'
import { unitArgs, unitLine, unitName, unitOfNames } from '../map/words.js'
import { findRecords } from './find-records.js'
import { type Html, html } from '../shell/html.js'
import { badAddress } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { mayAs } from '../../core/access/roles.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesAt, framesById } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import type { Services } from '../../services.js'

const SEARCH_MAX = 200

export function findRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const text = searchText(req)
    const secret = /svc_(?:sk|se|in)_\w+/.exec(text)?.[0]
    // A secret is looked for by its end alone, and the page does not repeat it.
    const words = secret === undefined ? text : secret.slice(-4)
    const { db, place } = req.visit
    const search = {
      db,
      session: sessionOf(req),
      app: place.app,
      reader: services.readerForRequest(req.context.deadline),
    }
    const records = words === '' ? [] : await findRecords(search, words)
    const places = words === '' || secret !== undefined ? [] : await findPlaces(search, words)
    const found = [...records, ...places]
    sendPage(res, {
      title: words === '' ? 'Find' : `Found for “${words}”`,
      found: words,
      body: html`${secret !== undefined && SECRET_NOTE} ${found} ${found.length === 0 && adviceFor(req, words)}`,
    })
  }
}

function searchText({ context: { asked } }: Request): string {
  const [sent = '', ...more] = asked.get('q') ?? []
  const text = decode(sent.replaceAll('+', ' '))?.trim()
  if (text === undefined || more.length > 0 || text.length > SEARCH_MAX || text.includes('\0'))
    throw badAddress(`q: one text of at most ${SEARCH_MAX} characters is accepted.`)
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

type PlaceSearch = { reader: Reader; app: string }

const UNITS_FOUND = 6
/** A frame in the middle of a grid touches eight others. */
const NEIGHBOURS = 9
/** Degrees: far less than a frame is wide. */
const RIM = 0.0005

async function findPlaces(search: PlaceSearch, words: string): Promise<Html[]> {
  const { reader } = search
  if (isFrameId(words)) return await frameCards(search, await framesById(reader, [words]))
  const point = await typedPoint(reader, words)
  if (point) return await frameCards(search, await framesById(reader, await idsAt(reader, point)))
  // An id of a request has digits between hyphens, and no unit has.
  return /^[\w-]{20,}$/.test(words) ? [] : await unitCards(search, words)
}

async function typedPoint(reader: Reader, words: string): Promise<CodePoint | undefined> {
  const compact = words.replace(/\s+/g, '')
  if (isShortCode(compact)) return nearestPoint(compact, await middleOfIndex(reader))
  if (looksLikePlusCode(compact)) return plusCodePoint(compact)
  return coordinatesOf(words)
}

const idsAt = async (reader: Reader, { lat, lon }: CodePoint): Promise<string[]> =>
  (await framesAt(reader, [lon], [lat])).map(({ id }) => id)

type FoundFrame = Awaited<ReturnType<typeof framesById>>[number]

const frameCards = (search: PlaceSearch, frames: readonly FoundFrame[]): Promise<Html[]> =>
  Promise.all(frames.map((frame) => frameCard(search, frame)))

async function frameCard({ reader, app }: PlaceSearch, { id, bbox, state, lga, ward }: FoundFrame): Promise<Html> {
  const [minLon, minLat, maxLon, maxLat] = JSON.parse(bbox) as [number, number, number, number]
  const around = await framesOfBox(reader, minLon - RIM, minLat - RIM, maxLon + RIM, maxLat + RIM, NEIGHBOURS)
  const link = (frame: string) =>
    html`<a href="${app}/map${queryOf({ pick: { kind: 'frames', ids: [frame] } })}">${frame}</a>`
  return html`<section class="card">
    <h2>Frame ${link(id)}</h2>
    <p>${[ward, lga, state].filter((name) => name !== null).join(', ') || 'It lies in no unit.'}</p>
    <h3>Neighbours</h3>
    <ul class="chips">
      ${around
        .map((frame) => frame.id)
        .filter((other) => other !== id)
        .toSorted()
        .map((other) => html`<li>${link(other)}</li>`)}
    </ul>
  </section>`
}

async function unitCards({ reader, app }: PlaceSearch, words: string): Promise<Html[]> {
  const alike = await unitsNamed(reader, words, UNITS_FOUND)
  const exact = alike.filter(({ alike: likeness }) => likeness === 2)
  const link = (names: UnitNames) =>
    html`<a href="${app}/map${queryOf({ pick: { kind: 'unit', unit: unitOfNames(names) } })}">${unitName(names)}</a>`
  if (exact.length === 0) {
    return alike.length === 0
      ? []
      : [
          html`<section class="card">
            <h2>Units of a like name</h2>
            <ul>
              ${alike.map((unit) => html`<li>${link(unit)} <span class="quiet">${unitLine(unit)}</span></li>`)}
            </ul>
          </section>`,
        ]
  }
  return await Promise.all(
    exact.map(async (unit) => {
      const neighbours = await neighboursOfUnit(reader, ...unitArgs(unitOfNames(unit)))
      return html`<section class="card">
        <h2>${link(unit)}</h2>
        <p>${unitLine(unit)}</p>
        ${
          neighbours.length > 0 &&
          html`<h3>Neighbours</h3>
            <ul class="chips">
              ${neighbours.map((other) => html`<li>${link(other)}</li>`)}
            </ul>`
        }
      </section>`
    }),
  )
}
