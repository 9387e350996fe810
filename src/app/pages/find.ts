/**
 * GET /app/find: finds what a person has in hand, such as a request id from an error, the last four characters of a key,
 * a frame, a unit or an entry of the ledger, and shows it with what is near it. A role finds what its pages show.
 */
import type { Request, RequestHandler } from 'express'
import { placeName } from '../../core/place-name.js'
import { type Corners, cornersOf, type UnitPath } from '../../core/place.js'
import type { KeyOnPage, Session, UseOfRequest, UseRow } from '../shell/rows.js'
import { typedText } from '../../api/http/query.js'
import { beyondNote, noFrameAtText, searchedPlace } from '../map/searched-place.js'
import { extentOfIndex, framesOfBox, neighboursOfUnit, unitsNamed } from '../map/statements.js'
import { queryOf } from '../map/view.js'
import { pathOf, unitArgs, unitLine } from '../map/words.js'
import { html, type Html } from '../shell/html.js'
import { badAddress } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { mayAs } from '../../core/access/index.js'
import type { Reader } from '../../core/db/index.js'
import { framesAt, framesById } from '../../core/db/statements.js'
import type { Services } from '../../services.js'
import { groupedNumber } from '../shell/chart.js'
import { columnsOf } from '../shell/columns.js'
import { type Column, factList, table, tableSection } from '../shell/components.js'
import { endOf, lastUseText, refusalName, rightsOf, stateOf } from '../shell/key-state.js'
import {
  datasetsToChoose,
  entriesAround,
  entriesOfRequest,
  eventsAround,
  eventsOfKey,
  keysOfOrganisation,
  useOfDay,
  useOfRequest,
} from '../shell/statements.js'
import type { Visit } from '../shell/visit.js'
import { entryCells } from './credits.js'
import { eventCells } from './events.js'

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
    const found = [...records, ...('why' in places ? [] : places)]
    const why = 'why' in places ? places.why : 'Nothing here has this name, number or id.'
    sendPage(res, {
      title: words === '' ? 'Find' : `Found for “${words}”`,
      found: words,
      body: html`${secret !== undefined && SECRET_NOTE} ${found}
      ${found.length === 0 && adviceFor(req, words !== '' && why)}`,
    })
  }
}

function searchText({ context: { asked } }: Request): string {
  const text = typedText(asked, 'q')
  if (text === undefined || (asked.get('q') ?? []).length > 1 || text.length > SEARCH_MAX || text.includes('\0'))
    throw badAddress(`q: one text of at most ${SEARCH_MAX} characters is accepted.`)
  return text
}

const SECRET_NOTE = html`<p class="notice warn" role="alert">
  This was the secret of a key. It now stands in the history of this browser: roll the key if others use the browser.
  Its last four characters are enough to find it.
</p>`

function adviceFor(req: Request, why: Html | string | false): Html {
  const isAdmin = mayAs(sessionOf(req).role, 'admin')
  return html`${why !== false && html`<p class="lead">${why}</p>`}
    <p>These are found:</p>
    <ul>
      <li>a frame by its id or its coordinates; a state, LGA or ward by its name or code</li>
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

/** A card for each place, or why there is none. */
async function findPlaces(search: PlaceSearch, words: string): Promise<Html[] | { why: Html | string }> {
  const { reader, app } = search
  const place = searchedPlace(words)
  switch (place.is) {
    case 'frame':
      return await frameCards(search, await framesById(reader, [words]))
    case 'point': {
      const [frame] = await framesAt(reader, [place.point.lon], [place.point.lat])
      return frame
        ? await frameCards(search, await framesById(reader, [frame.id]))
        : { why: noFrameAtText(place.point) }
    }
    case 'beyond':
      return { why: beyondNote(place.pair, (other) => `${app}/find?q=${encodeURIComponent(other)}`) }
    case 'name':
      // An id of a request has digits between hyphens, and no unit has.
      return /^[\w-]{20,}$/.test(words) ? [] : await unitCards(search, words)
  }
}

type FoundFrame = Awaited<ReturnType<typeof framesById>>[number]

const frameCards = (search: PlaceSearch, frames: readonly FoundFrame[]): Promise<Html[]> =>
  Promise.all(frames.map((frame) => frameCard(search, frame)))

async function frameCard({ reader, app }: PlaceSearch, { id, bbox, state, lga, ward }: FoundFrame): Promise<Html> {
  const [minLon, minLat, maxLon, maxLat] = JSON.parse(bbox) as Corners
  const around = await framesOfBox(reader, minLon - RIM, minLat - RIM, maxLon + RIM, maxLat + RIM, NEIGHBOURS)
  const link = (frame: string) => html`<a href="${app}/map${queryOf({ pick: { frames: [frame] } })}">${frame}</a>`
  return html`<section class="panel">
    <h2>Frame ${link(id)}</h2>
    <p>
      ${[ward, lga, state].flatMap((name) => (name === null ? [] : placeName(name))).join(', ') || 'It lies in no unit.'}
    </p>
    <h3>Neighbours</h3>
    <ul class="row close">
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
  const link = (unit: UnitPath) =>
    html`<a href="${app}/map${queryOf({ pick: { unit } })}">${placeName(unit.at(-1) ?? '')}</a>`
  if (exact.length === 0) {
    return alike.length === 0
      ? []
      : [
          html`<section class="panel">
            <h2>Units of a like name</h2>
            <ul>
              ${alike.map((unit) => html`<li>${link(pathOf(unit))} <span class="quiet">${unitLine(pathOf(unit), unit.frames)}</span></li>`)}
            </ul>
          </section>`,
        ]
  }
  return await Promise.all(
    exact.map(async (found) => {
      const unit = pathOf(found)
      const neighbours = await neighboursOfUnit(reader, ...unitArgs(unit))
      return html`<section class="panel">
        <h2>${link(unit)}</h2>
        <p>${unitLine(unit, found.frames)}</p>
        ${
          neighbours.length > 0 &&
          html`<h3>Neighbours</h3>
            <ul class="row close">
              ${neighbours.map((other) => html`<li>${link(pathOf(other))}</li>`)}
            </ul>`
        }
      </section>`
    }),
  )
}

type RecordSearch = { db: Visit['db']; reader: Reader; session: Session; app: string }

/** Counts are kept longer; a person looks for what failed lately. */
const RECORD_DAYS = 90
/** So many stand on either side of what was found. */
const AROUND = 3
const KEYS_SHOWN = 10
const DATASETS_SHOWN = 10

type Card = Html | false

async function findRecords(search: RecordSearch, words: string): Promise<Html[]> {
  const isAdmin = mayAs(search.session.role, 'admin')
  const isNumber = /^\d{1,18}$/.test(words)
  const isId = /^[\w-]{6,64}$/.test(words)
  const found = await Promise.all([
    isAdmin && isId ? callCards(search, words) : [],
    isId && chargeCard(search, words),
    isAdmin && isNumber && eventCard(search, words),
    isAdmin && isNumber && entryCard(search, words, html`Entry ${words} of the ledger`),
    isAdmin && keyCard(search, words),
    datasetCard(search, words),
  ])
  return found.flat().filter((card) => card !== false)
}

async function callCards(search: RecordSearch, requestId: string): Promise<Html[]> {
  const { db, session, app } = search
  const calls = await useOfRequest(db, session.orgId, requestId, RECORD_DAYS)
  return await Promise.all(
    calls.map(async (call) => {
      const { keyId, keyName, lastFour, day } = call
      const [sameDay, events, example] = await Promise.all([
        useOfDay(db, [keyId], day),
        eventsOfKey(db, keyId, AROUND),
        exampleOf(search, call),
      ])
      return html`<section class="panel">
        <h2>The call <code>${requestId}</code></h2>
        ${factList([
          ['Call', html`<code>${call.call}</code> ${example !== undefined && exampleLink(app, example)}`],
          ['Code', html`<code>${refusalName(call)}</code>`],
          ['Day', `${day}, UTC: the last of ${groupedNumber(call.calls)} with this code`],
          ['Key', html`<a href="${app}/keys/${keyId}">${keyName}</a> …${lastFour}`],
        ])}
        <h3>The same key on that day</h3>
        ${table('Calls of the key on that day', useColumns, sameDay)}
        <h3>The last events of the key</h3>
        ${table('The last events of the key', columnsOf(eventsOfKey, eventCells(app)), events)}
      </section>`
    }),
  )
}

const exampleLink = (app: string, example: string): Html =>
  html`<a href="${app}/sql?call=${encodeURIComponent(example)}" data-drawer>The SQL of such a call</a>`

const useColumns: readonly Column<UseRow>[] = [
  { heading: 'Call', cell: ({ call }) => html`<code>${call}</code>` },
  { heading: 'Outcome', cell: refusalName },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  {
    heading: 'Last request',
    cell: ({ lastRequestId }) => lastRequestId !== null && html`<code>${lastRequestId}</code>`,
    width: 'minor',
  },
]

/** No count keeps the parameters of a call: the example asks about a frame of the index. */
async function exampleOf({ reader }: RecordSearch, { call }: UseOfRequest): Promise<string | undefined> {
  if (['/v1/states', '/v1/lgas', '/v1/frames/admin'].includes(call)) return `GET ${call}`
  const [extent] = await extentOfIndex(reader)
  const corners = cornersOf(extent)
  if (!corners) return undefined
  const [minLon, minLat, maxLon, maxLat] = corners
  if (call === '/v1/frames/at') return `GET ${call}?lat=${(minLat + maxLat) / 2}&lon=${(minLon + maxLon) / 2}`
  const [frame] = await framesOfBox(reader, ...corners, 1)
  if (!frame) return undefined
  if (call === '/v1/frames/insight') return `POST ${call} ${JSON.stringify({ frameIds: [frame.id] })}`
  return call === '/v1/frames' || call === '/v1/frames/data' ? `GET ${call}?ids=${frame.id}` : undefined
}

/** A member sees the own charges, whose entries have the id of the person in place of that of a key. */
const ownOf = ({ session: { role, personId } }: RecordSearch): string | null => (mayAs(role, 'admin') ? null : personId)

async function chargeCard(search: RecordSearch, requestId: string): Promise<Card> {
  const own = ownOf(search)
  const entries = await entriesOfRequest(search.db, search.session.orgId, requestId)
  const first = entries.find(({ keyId }) => own === null || keyId === own)
  return first ? await entryCard(search, first.entryId, html`Charges of <code>${requestId}</code>`) : false
}

async function entryCard(search: RecordSearch, entryId: string, title: Html): Promise<Card> {
  const entries = await entriesAround(search.db, search.session.orgId, entryId, ownOf(search), AROUND)
  const columns = columnsOf(entriesAround, { ...entryCells, entryId: (entry) => foundAmong(entry.entryId, entryId) })
  return (
    entries.length > 0 &&
    html`<section class="panel">
      <h2>${title}</h2>
      <p class="quiet">Entries of the same key or person before and after it stand around it.</p>
      ${table('Entries of the ledger', columns, entries)}
    </section>`
  )
}

const foundAmong = (id: string, found: string): Html | string => (id === found ? html`<strong>${id}</strong>` : id)

async function eventCard({ db, session, app }: RecordSearch, eventId: string): Promise<Card> {
  const events = await eventsAround(db, session.orgId, eventId, AROUND)
  const columns = columnsOf(eventsAround, {
    ...eventCells(app),
    eventId: (event) => foundAmong(event.eventId, eventId),
  })
  return (
    events.length > 0 &&
    html`<section class="panel">
      <h2>Event ${eventId}</h2>
      ${table('The event, and those around it', columns, events)}
    </section>`
  )
}

/** A person finds a key by what a list prints of it: "map server …7aKg". */
const printed = (name: string, lastFour: string): string => `${name} …${lastFour}`.toLowerCase()

async function keyCard({ db, session, app }: RecordSearch, words: string): Promise<Card> {
  const isNamed = ({ keyId, lastFour, name }: KeyOnPage) =>
    keyId === words || (words.length > 2 && printed(name, lastFour).includes(words.toLowerCase()))
  const keys = (await keysOfOrganisation(db, session.orgId)).filter(isNamed).slice(0, KEYS_SHOWN)
  const columns: readonly Column<KeyOnPage>[] = [
    {
      heading: 'Key',
      cell: (key) =>
        html`<a href="${app}/keys/${key.keyId}">${key.name}</a>
          <code class="tail">…${key.lastFour}</code> ${stateOf(key)}`,
      width: 'wide',
    },
    { heading: 'May', cell: rightsOf },
    { heading: 'Last used', cell: lastUseText, width: 'short' },
    { heading: 'Ends', cell: endOf, width: 'short' },
    { heading: 'Use', cell: ({ keyId }) => html`<a href="${app}/usage?key=${keyId}">Its calls</a>` },
  ]
  return tableSection('Keys', 'Keys', columns, keys)
}

async function datasetCard({ db, session, app }: RecordSearch, words: string): Promise<Card> {
  const wanted = words.toLowerCase()
  const known = wanted.length < 3 ? [] : await datasetsToChoose(db, session.orgId)
  const found = known.filter(({ layerId, name }) => layerId === wanted || name.toLowerCase().includes(wanted))
  return (
    found.length > 0 &&
    html`<section class="panel">
      <h2>Datasets</h2>
      <ul>
        ${found.slice(0, DATASETS_SHOWN).map(
          ({ layerId, name, owner }) =>
            html`<li>
              <a href="${app}/datasets/${encodeURIComponent(layerId)}">${name}</a>
              <span class="quiet">${owner}</span>
            </li>`,
        )}
      </ul>
    </section>`
  )
}
