/** GET /app/keys: the keys of the organisation, those that need somebody first, and those that ended folded away. */
import type { RequestHandler } from 'express'
import type { DayOfKey, KeyOnPage, RefusalOfKey } from '../shell/rows.js'
import { groupedNumber, smallBars } from '../shell/chart.js'
import { type Column, dayOf, emptyState, folded, table } from '../shell/components.js'
import { type Html, html } from '../shell/html.js'
import {
  endOf,
  endsSoon,
  isIdle,
  LAST_DAYS,
  lastDaysOf,
  lastUseText,
  readsEverything,
  rightsOf,
  stateOf,
  wasNeverUsed,
} from '../shell/key-state.js'
import type { PageContent } from '../shell/layout.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { keysOfOrganisation, refusalsOfLastDays, useOfLastDays } from '../shell/statements.js'
import { counted } from '../../core/counted.js'

export const keysRoute: RequestHandler = async (req, res) => {
  const { db, place } = req.visit
  const keys = await keysOfOrganisation(db, sessionOf(req).orgId)
  const keyIds = keys.filter(({ isUsable }) => isUsable).map(({ keyId }) => keyId)
  const [used, refusals] = await Promise.all([
    useOfLastDays(db, keyIds, LAST_DAYS),
    refusalsOfLastDays(db, keyIds, LAST_DAYS),
  ])
  sendPage(res, keysPage({ keys, used, refusals, path: `${place.app}/keys` }))
}

type KeysPage = {
  keys: readonly KeyOnPage[]
  used: readonly DayOfKey[]
  refusals: readonly RefusalOfKey[]
  path: string
}

function keysPage({ keys, used, refusals, path }: KeysPage): PageContent {
  const usable = keys.filter(({ isUsable }) => isUsable)
  const ended = keys.filter(({ isUsable }) => !isUsable)
  return {
    title: 'Keys',
    section: '/keys',
    actions: html`<a class="button primary" href="${path}/new">New key</a>`,
    body: html`
      ${
        usable.length === 0
          ? emptyState(
              keys.length === 0 ? 'No keys yet' : 'No key is valid now',
              html`<p>A program needs a key to call the API.</p>
                <p><a class="button" href="${path}/new">Mint a key</a></p>`,
            )
          : html`${cards(usable)} ${table('Keys that are valid', usableColumns({ path, used, refusals }), usable)}
              <p class="quiet">Bars and errors are of the last ${LAST_DAYS} days, and at most 15 seconds old.</p>`
      }
      ${
        ended.length > 0 &&
        folded(
          'fold',
          `${counted(ended.length, 'key has', 'keys have')} ended`,
          table('Keys that have ended', endedColumns(path), ended),
        )
      }
    `,
  }
}

const cards = (usable: readonly KeyOnPage[]): Html => {
  const card = (count: number, title: string) =>
    html`<p class="figure"><span class="number">${count}</span> ${title}</p>`
  return html`<div class="grid">
    ${card(usable.filter((key) => endsSoon(key)).length, 'end within 14 days')}
    ${card(usable.filter((key) => isIdle(key)).length, 'not used for 90 days')}
    ${card(usable.filter(wasNeverUsed).length, 'never used')}
    ${card(usable.filter(readsEverything).length, 'read every dataset')}
  </div>`
}

const nameColumn = (path: string): Column<KeyOnPage> => ({
  heading: 'Key',
  cell: (key) =>
    html`<a class="clamped" href="${path}/${key.keyId}" title="${key.name}">${key.name}</a>
      <code class="tail">…${key.lastFour}</code> ${stateOf(key)}`,
  width: 'wide',
})

const rightsColumn: Column<KeyOnPage> = {
  heading: 'May',
  cell: (key) => html`${rightsOf(key)}<br />${reachOf(key)}`,
}

/** The page of the key lists the datasets. */
const reachOf = ({ datasets }: KeyOnPage): Html =>
  datasets === null
    ? html`<span class="quiet" title="all that the organisation can read">every dataset</span>`
    : html`<span class="quiet" title="${datasets.join(', ')}">${counted(datasets.length, 'dataset')}</span>`

const mintedColumn: Column<KeyOnPage> = {
  heading: 'Minted',
  cell: ({ mintedAt, mintedBy }) =>
    html`${dayOf(mintedAt)}<br /><span class="quiet">by ${mintedBy ?? 'the operator'}</span>`,
  width: 'minor',
}

const seenColumn: Column<KeyOnPage> = {
  heading: 'Last used',
  cell: (key) => (key.seenAt ? lastUseText(key) : html`<span class="quiet">${lastUseText(key)}</span>`),
  width: 'short',
}

function usableColumns({ path, used, refusals }: Pick<KeysPage, 'path' | 'used' | 'refusals'>): Column<KeyOnPage>[] {
  return [
    nameColumn(path),
    rightsColumn,
    mintedColumn,
    seenColumn,
    { heading: 'Ends', cell: endOf, width: 'short' },
    { heading: 'Calls', cell: ({ keyId }) => smallBars(lastDaysOf(keyId, used)) },
    { heading: 'Errors', cell: ({ keyId }) => refusalCounts(refusals.filter((each) => each.keyId === keyId)) },
  ]
}

/** The three most frequent codes. The page of the key tells the buckets apart. */
function refusalCounts(refusals: readonly RefusalOfKey[]): Html {
  const byCode = new Map<string, number>()
  for (const { outcome, calls } of refusals) byCode.set(outcome, (byCode.get(outcome) ?? 0) + calls)
  if (byCode.size === 0) return html`<span class="quiet">none</span>`
  const codes = [...byCode].toSorted(([, one], [, other]) => other - one).slice(0, 3)
  return html`<ul class="bare">
    ${codes.map(([code, calls]) => html`<li><code>${code}</code> ${groupedNumber(calls)}</li>`)}
  </ul>`
}

const endedColumns = (path: string): Column<KeyOnPage>[] => [
  nameColumn(path),
  rightsColumn,
  mintedColumn,
  seenColumn,
  { heading: 'Ended', cell: endOf, width: 'short' },
]
