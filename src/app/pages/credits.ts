/** GET /app/credits: what an organisation paid, for what and by which key. GET /app/credits.csv: its entries. */
import type { Request, RequestHandler } from 'express'
import { accountBalance } from '../../core/db/statements.js'
import { barChart, groupedNumber } from '../shell/chart.js'
import { figure, folded, table, tableSection } from '../shell/components.js'
import { beforeOf, type CsvColumns, fromNewest, sendRows } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { periodForm, periodOf, type Period } from '../shell/period.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import {
  creditEntries,
  creditsByDataset,
  creditsByDay,
  creditsByKey,
  type CreditEntry,
  type DayOfCredits,
} from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { datasetSpendingColumns, dayOfCreditsColumns, entryColumns, keySpendingColumns } from './credits-columns.js'

const ENTRIES = 25

export const creditsRoute: RequestHandler = async (req, res) => sendPage(res, await creditsPage(req))

async function creditsPage(req: Request): Promise<PageContent> {
  const { orgId } = sessionOf(req)
  const { db } = req.visit
  const period = periodOf(req)
  const { first, last } = period
  const [[account], days, datasets, keys, entries] = await Promise.all([
    accountBalance(db, orgId, []),
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
      <p class="quiet">${period.title}: ${first} to ${last}, in days of UTC.</p>
      ${figures(days, account?.balance ?? '0')}
      ${
        shown.length === 0
          ? html`<p class="empty">No entries in this period.</p>`
          : html`${creditsChart(days)}
              ${tableSection('By dataset', 'Credits by dataset', datasetSpendingColumns, datasets)}
              ${tableSection('By key', 'Credits by key', keySpendingColumns, keys)}
              <section>
                <h2>Statement</h2>
                ${table('Entries, the newest first', entryColumns, shown)}
                ${older && olderLink(path, period, older.entryId)}
              </section>`
      }
    `,
  }
}

const olderLink = (path: string, { name }: Period, entryId: string): Html =>
  html`<p><a class="button" href="${path}?period=${name}&amp;before=${entryId}">Older entries</a></p>`

const sumOfDays = (days: readonly DayOfCredits[], pick: (day: DayOfCredits) => number): number =>
  days.reduce((sum, day) => sum + pick(day), 0)

const figures = (days: readonly DayOfCredits[], balance: string): Html =>
  html`<div class="figures">
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
    ${folded('twin', 'The same as a table', table('Credits by day', dayOfCreditsColumns, days.toReversed()))}
  </section>`

const CSV_COLUMNS: CsvColumns<CreditEntry> = {
  entry_id: ({ entryId }) => entryId,
  entered_at: ({ enteredAt }) => enteredAt,
  kind: ({ kind }) => kind,
  dataset_id: ({ layerId }) => layerId,
  dataset: ({ dataset }) => dataset,
  key_id: ({ keyId }) => keyId,
  key_name: ({ keyName }) => keyName,
  request_id: ({ requestId }) => requestId,
  credits: ({ credits }) => credits,
  balance: ({ balance }) => balance,
}

export function creditsCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const { name, first, last } = periodOf(req)
    const { orgId } = sessionOf(req)
    const read = (before: string, most: number) => creditEntries(db, orgId, first, last, before, most)
    await sendRows(
      res,
      `credits-${name}.csv`,
      CSV_COLUMNS,
      fromNewest(read, ({ entryId }) => entryId),
    )
  }
}
