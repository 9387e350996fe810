/** Finds keys, calls, charges, events and datasets for the page that finds anything. A role finds what its pages show. */
import { mayAs } from '../../core/access/roles.js'
import type { Database } from '../../core/db/connect.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesOfBox, extentOfIndex } from '../map/statements.js'
import { groupedNumber } from '../shell/chart.js'
import { table, type Column } from '../shell/components.js'
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
import type { KeyOnPage, Session, UseOfRequest, UseRow } from '../shell/statements.js'
import { loneEntryColumns } from './credits-columns.js'
import { eventColumns } from './events.js'

export type RecordSearch = { reads: Pick<Database, 'rows'>; reader: Reader; session: Session; app: string }

/** Counts are kept longer; a person looks for what failed lately. */
const RECORD_DAYS = 90
/** So many stand on either side of what was found. */
const AROUND = 3
const KEYS_SHOWN = 10
const DATASETS_SHOWN = 10

export async function findRecords(search: RecordSearch, words: string): Promise<Html[]> {
  const isAdmin = mayAs(search.session.role, 'admin')
  const isNumber = /^\d{1,18}$/.test(words)
  const isId = /^[\w-]{6,64}$/.test(words)
  const found = await Promise.all([
    isAdmin && isId ? callCards(search, words) : [],
    isId ? chargeCards(search, words) : [],
    isAdmin && isNumber ? eventCards(search, words) : [],
    isAdmin && isNumber ? entryCards(search, words) : [],
    isAdmin ? keyCards(search, words) : [],
    datasetCards(search, words),
  ])
  return found.flat()
}

async function callCards(search: RecordSearch, requestId: string): Promise<Html[]> {
  const { reads, session, app } = search
  const calls = await useOfRequest(reads, session.orgId, requestId, RECORD_DAYS)
  return await Promise.all(
    calls.map(async (call) => {
      const { keyId, keyName, lastFour, day } = call
      const [sameDay, events, example] = await Promise.all([
        useOfDay(reads, [keyId], day),
        eventsOfKey(reads, keyId, AROUND),
        exampleOf(search, call),
      ])
      return html`<section class="card">
        <h2>The call <code>${requestId}</code></h2>
        <dl class="facts">
          <dt>Call</dt>
          <dd>
            <code>${call.call}</code>
            ${example !== undefined && html`<a href="${app}/sql?call=${encodeURIComponent(example)}" data-drawer>The SQL of such a call</a>`}
          </dd>
          <dt>Code</dt>
          <dd><code>${refusalName(call)}</code></dd>
          <dt>Day</dt>
          <dd>${day}, UTC: the last of ${groupedNumber(call.calls)} with this code</dd>
          <dt>Key</dt>
          <dd><a href="${app}/keys/${keyId}">${keyName}</a> …${lastFour}</dd>
        </dl>
        <h3>The same key on that day</h3>
        ${table('Calls of the key on that day', useColumns, sameDay)}
        <h3>The last events of the key</h3>
        ${table('The last events of the key', eventColumns(), events)}
      </section>`
    }),
  )
}

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

async function chargeCards(search: RecordSearch, requestId: string): Promise<Html[]> {
  const own = ownOf(search)
  const entries = await entriesOfRequest(search.reads, search.session.orgId, requestId)
  const [first] = entries.filter(({ keyId }) => own === null || keyId === own)
  return first ? [await entryCard(search, first.entryId, html`Charges of <code>${requestId}</code>`)].flat() : []
}

const entryCards = (search: RecordSearch, entryId: string): Promise<Html[]> =>
  entryCard(search, entryId, html`Entry ${entryId} of the ledger`)

async function entryCard(search: RecordSearch, entryId: string, title: Html): Promise<Html[]> {
  const entries = await entriesAround(search.reads, search.session.orgId, entryId, ownOf(search), AROUND)
  return entries.length === 0
    ? []
    : [
        html`<section class="card">
          <h2>${title}</h2>
          <p class="quiet">Entries of the same key or person before and after it stand around it.</p>
          ${table(
            'Entries of the ledger',
            [
              {
                heading: 'Entry',
                cell: (entry) => (entry.entryId === entryId ? html`<strong>${entry.entryId}</strong>` : entry.entryId),
              },
              ...loneEntryColumns,
            ],
            entries,
          )}
        </section>`,
      ]
}

async function eventCards({ reads, session, app }: RecordSearch, eventId: string): Promise<Html[]> {
  const events = await eventsAround(reads, session.orgId, eventId, AROUND)
  return events.length === 0
    ? []
    : [
        html`<section class="card">
          <h2>Event ${eventId}</h2>
          ${table(
            'The event, and those around it',
            [
              {
                heading: 'Event',
                cell: (event) => (event.eventId === eventId ? html`<strong>${event.eventId}</strong>` : event.eventId),
              },
              ...eventColumns(`${app}/keys`),
            ],
            events,
          )}
        </section>`,
      ]
}

async function keyCards({ reads, session, app }: RecordSearch, words: string): Promise<Html[]> {
  const isNamed = ({ keyId, lastFour, name }: KeyOnPage) =>
    keyId === words || lastFour === words || (words.length > 2 && name.toLowerCase().includes(words.toLowerCase()))
  const keys = (await keysOfOrganisation(reads, session.orgId)).filter(isNamed).slice(0, KEYS_SHOWN)
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
  return keys.length === 0
    ? []
    : [
        html`<section>
          <h2>Keys</h2>
          ${table('Keys', columns, keys)}
        </section>`,
      ]
}

async function datasetCards({ reads, session, app }: RecordSearch, words: string): Promise<Html[]> {
  const wanted = words.toLowerCase()
  const known = wanted.length < 3 ? [] : await datasetsToChoose(reads, session.orgId)
  const found = known.filter(({ layerId, name }) => layerId === wanted || name.toLowerCase().includes(wanted))
  return found.length === 0
    ? []
    : [
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
        </section>`,
      ]
}
