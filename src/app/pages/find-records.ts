/** Finds keys, calls, charges, events and datasets for the page that finds anything. A role finds what its pages show. */
import { mayAs } from '../../core/access/roles.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesOfBox, extentOfIndex } from '../map/statements.js'
import { groupedNumber } from '../shell/chart.js'
import { factList, table, tableSection, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
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
import type { EntryAround, EventRow, KeyOnPage, Session, UseOfRequest, UseRow } from '../shell/statements.js'
import type { Visit } from '../shell/visit.js'
import { loneEntryColumns } from './credits-columns.js'
import { eventColumns } from './events.js'

export type RecordSearch = { db: Visit['db']; reader: Reader; session: Session; app: string }

/** Counts are kept longer; a person looks for what failed lately. */
const RECORD_DAYS = 90
/** So many stand on either side of what was found. */
const AROUND = 3
const KEYS_SHOWN = 10
const DATASETS_SHOWN = 10

type Card = Html | false

export async function findRecords(search: RecordSearch, words: string): Promise<Html[]> {
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
      return html`<section class="card">
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
        ${table('The last events of the key', eventColumns(), events)}
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
  const { minLon, minLat, maxLon, maxLat } = extent ?? {}
  if (
    typeof minLon !== 'number' ||
    typeof minLat !== 'number' ||
    typeof maxLon !== 'number' ||
    typeof maxLat !== 'number'
  )
    return undefined
  if (call === '/v1/frames/at') return `GET ${call}?lat=${(minLat + maxLat) / 2}&lon=${(minLon + maxLon) / 2}`
  const [frame] = await framesOfBox(reader, minLon, minLat, maxLon, maxLat, 1)
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
  const columns: Column<EntryAround>[] = [
    { heading: 'Entry', cell: (entry) => foundAmong(entry.entryId, entryId) },
    ...loneEntryColumns,
  ]
  return (
    entries.length > 0 &&
    html`<section class="card">
      <h2>${title}</h2>
      <p class="quiet">Entries of the same key or person before and after it stand around it.</p>
      ${table('Entries of the ledger', columns, entries)}
    </section>`
  )
}

const foundAmong = (id: string, found: string): Html | string => (id === found ? html`<strong>${id}</strong>` : id)

async function eventCard({ db, session, app }: RecordSearch, eventId: string): Promise<Card> {
  const events = await eventsAround(db, session.orgId, eventId, AROUND)
  const columns: Column<EventRow>[] = [
    { heading: 'Event', cell: (event) => foundAmong(event.eventId, eventId) },
    ...eventColumns(`${app}/keys`),
  ]
  return (
    events.length > 0 &&
    html`<section class="card">
      <h2>Event ${eventId}</h2>
      ${table('The event, and those around it', columns, events)}
    </section>`
  )
}

async function keyCard({ db, session, app }: RecordSearch, words: string): Promise<Card> {
  const isNamed = ({ keyId, lastFour, name }: KeyOnPage) =>
    keyId === words || lastFour === words || (words.length > 2 && name.toLowerCase().includes(words.toLowerCase()))
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
    html`<section class="card">
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
