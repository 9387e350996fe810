/** GET /app/credits: what an organisation paid, for what and by which key. GET /app/credits.csv: its entries. */
import type { Request, RequestHandler } from 'express'
import type { DatasetSpending, DayOfCredits, EntryAround, KeySpending } from '../shell/rows.js'
import { accountBalance } from '../../core/db/statements.js'
import { barChart, groupedNumber } from '../shell/chart.js'
import { figure, folded, table, tableSection } from '../shell/components.js'
import { type Cells, columnsOf, csvColumnsOf } from '../shell/columns.js'
import { beforeOf, fromNewest, sendRows } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { periodForm, periodOf, periodText } from '../shell/period.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { creditEntries, creditsByDataset, creditsByDay, creditsByKey } from '../shell/statements.js'
import type { Web } from '../shell/web.js'

const ENTRIES = 25

export const creditsRoute: RequestHandler = async (req, res) => sendPage(res, await creditsPage(req))

async function creditsPage(req: Request): Promise<PageContent> {
  const { orgId } = sessionOf(req)
  const { db } = req.visit
  const period = periodOf(req)
  const { first, last } = period
  const [[account], days, datasets, keys, entries] = await Promise.all([
    accountBalance(db, orgId),
    creditsByDay(db, orgId, first, last),
    creditsByDataset(db, orgId, first, last),
    creditsByKey(db, orgId, first, last),
    creditEntries(db, orgId, first, last, beforeOf(req, 'an entry'), ENTRIES + 1),
  ])
  const path = `${req.visit.place.app}/credits`
  const shown = entries.slice(0, ENTRIES)
  const older = entries.length > ENTRIES && shown.at(-1)
  return {
    title: 'Credits',
    section: '/credits',
    actions: html`<a class="button" href="${path}.csv?period=${period.name}" download>Download CSV</a>`,
    body: html`
      ${periodForm(path, period)}
      <p class="quiet">${periodText(period)}</p>
      ${figures(days, account?.balance ?? '0')}
      ${
        shown.length === 0
          ? html`<p class="empty">No entries in this period.</p>`
          : html`${creditsChart(days)}
              ${tableSection('By dataset', 'Credits by dataset', columnsOf(creditsByDataset, { name: datasetName }), datasets)}
              ${tableSection('By key', 'Credits by key', columnsOf(creditsByKey, { name: spender }), keys)}
              <section>
                <h2>Statement</h2>
                ${table('Entries, the newest first', columnsOf(creditEntries, entryCells), shown)}
                ${older && html`<p><a class="button" href="${path}?period=${period.name}&amp;before=${older.entryId}">Older entries</a></p>`}
              </section>`
      }
    `,
  }
}

const sumOfDays = (days: readonly DayOfCredits[], pick: (day: DayOfCredits) => number): number =>
  days.reduce((sum, day) => sum + pick(day), 0)

const figures = (days: readonly DayOfCredits[], balance: string): Html =>
  html`<div class="grid">
    ${creditFigure('Balance now', BigInt(balance).toLocaleString('en'))}
    ${creditFigure('Spent', groupedNumber(sumOfDays(days, ({ datasets, worded }) => datasets + worded)))}
    ${creditFigure('Given back', groupedNumber(sumOfDays(days, ({ refunds }) => refunds)))}
    ${creditFigure('Topped up', groupedNumber(sumOfDays(days, ({ topUps }) => topUps)))}
  </div>`

const creditFigure = (title: string, value: string): Html => figure(title, value, 'credits')

const creditsChart = (days: readonly DayOfCredits[]): Html =>
  html`<section>
    ${barChart({
      title: 'Credits spent by day',
      unit: 'credits',
      days: days.map(({ day }) => day),
      series: [
        { kind: 'answered', title: 'Datasets', values: days.map(({ datasets }) => datasets) },
        { kind: 'refused', title: 'Worded answers', values: days.map(({ worded }) => worded) },
      ],
    })}
    ${folded('twin', 'The same as a table', table('Credits by day', columnsOf(creditsByDay), days.toReversed()))}
  </section>`

export function creditsCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const { name, first, last } = periodOf(req)
    const { orgId } = sessionOf(req)
    const read = (before: string, most: number) => creditEntries(db, orgId, first, last, before, most)
    await sendRows(
      res,
      `credits-${name}.csv`,
      csvColumnsOf(creditEntries),
      fromNewest(read, ({ entryId }) => entryId),
    )
  }
}

/** A dataset that was removed has an id and no name. */
const datasetName = ({ layerId, name }: Pick<DatasetSpending, 'layerId' | 'name'>): Html =>
  layerId === null ? html`Worded answers` : html`${name ?? 'removed'} <code>${layerId}</code>`

/** A question in the app names the person in place of a key. */
function spender({ keyId, name, lastFour }: Pick<KeySpending, 'keyId' | 'name' | 'lastFour'>): Html | string {
  if (keyId === null) return ''
  if (name === null) return html`removed <code>${keyId}</code>`
  if (keyId.startsWith('per_')) return html`${name} <span class="quiet">in the app</span>`
  return html`${name} ${lastFour !== null && html`<span class="quiet">…${lastFour}</span>`}`
}

const ENTRY_KINDS = { top_up: 'Topped up', dataset: 'Dataset', worded: 'Worded answer', refund: 'Given back' } as const

export const entryCells: Cells<EntryAround> = {
  kind: ({ kind, layerId, dataset }) =>
    html`${ENTRY_KINDS[kind]}${layerId !== null && html`: ${datasetName({ layerId, name: dataset })}`}`,
  keyName: ({ keyName, ...entry }) => spender({ ...entry, name: keyName }),
  requestId: ({ requestId }) => html`<code>${requestId}</code>`,
  credits: ({ credits }) => (credits > 0 ? `+${groupedNumber(credits)}` : groupedNumber(credits)),
}
