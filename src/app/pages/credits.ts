/** GET /app/credits: what an organisation paid, for what and by which key. GET /app/credits.csv: its entries. */
import type { Request, RequestHandler } from 'express'
import { withDeadline } from '../../core/db/connect.js'
import { accountBalance } from '../../core/db/statements.js'
import { barChart, groupedNumber } from '../shell/chart.js'
import { table } from '../shell/components.js'
import type { CsvCell } from '../../core/csv.js'
import { sendCsv } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { periodForm, periodOf, type Period } from '../shell/period.js'
import { badAddress } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { creditEntries, creditsByDataset, creditsByDay, creditsByKey, type DayOfCredits } from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { datasetSpendingColumns, dayOfCreditsColumns, entryColumns, keySpendingColumns } from './credits-columns.js'

/** Entries of one page, and of one read of the file. */
const ENTRIES = 25
const ENTRIES_OF_FILE = 1000
/** Above every number of an entry. */
const NEWEST = '9223372036854775807'

export function creditsRoute(web: Web): RequestHandler {
  return async (req, res) => sendPage(res, await creditsPage(req, web))
}

async function creditsPage(req: Request, { db }: Web): Promise<PageContent> {
  const { orgId } = sessionOf(req)
  const reads = withDeadline(db, req.context.deadline)
  const period = periodOf(req)
  const { first, last } = period
  const [[account], days, datasets, keys, entries] = await Promise.all([
    accountBalance(reads, orgId, []),
    creditsByDay(reads, orgId, first, last),
    creditsByDataset(reads, orgId, first, last),
    creditsByKey(reads, orgId, first, last),
    creditEntries(reads, orgId, first, last, beforeOf(req), ENTRIES + 1),
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
              ${
                datasets.length > 0 &&
                html`<section>
                  <h2>By dataset</h2>
                  ${table('Credits by dataset', datasetSpendingColumns, datasets)}
                </section>`
              }
              ${
                keys.length > 0 &&
                html`<section>
                  <h2>By key</h2>
                  ${table('Credits by key', keySpendingColumns, keys)}
                </section>`
              }
              <section>
                <h2>Statement</h2>
                ${table('Entries, the newest first', entryColumns, shown)}
                ${older && html`<p>${olderLink(path, period, older.entryId)}</p>`}
              </section>`
      }
    `,
  }
}

const olderLink = (path: string, { name }: Period, entryId: string): Html =>
  html`<a class="button" href="${path}?period=${name}&amp;before=${entryId}">Older entries</a>`

/** The statement shows entries below the number that the address names, as ?before=4711. */
function beforeOf({ context: { asked } }: Request): string {
  const [before = NEWEST] = asked.get('before') ?? []
  if (!/^[1-9]\d{0,17}$/.test(before) && before !== NEWEST)
    throw badAddress('before: the number of an entry is accepted.')
  return before
}

const sumOfDays = (days: readonly DayOfCredits[], pick: (day: DayOfCredits) => number): number =>
  days.reduce((sum, day) => sum + pick(day), 0)

const figures = (days: readonly DayOfCredits[], balance: string): Html =>
  html`<div class="figures">
    ${creditFigure('Balance now', BigInt(balance).toLocaleString('en'))}
    ${creditFigure('Spent', groupedNumber(sumOfDays(days, ({ datasets, worded }) => datasets + worded)))}
    ${creditFigure('Given back', groupedNumber(sumOfDays(days, ({ refunds }) => refunds)))}
    ${creditFigure('Topped up', groupedNumber(sumOfDays(days, ({ topUps }) => topUps)))}
  </div>`

const creditFigure = (title: string, value: string): Html =>
  html`<div class="figure">
    <span class="quiet">${title}</span>
    <span class="number">${value}</span>
    <span class="quiet">credits</span>
  </div>`

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
    <details class="twin">
      <summary>The same as a table</summary>
      ${table('Credits by day', dayOfCreditsColumns, days.toReversed())}
    </details>
  </section>`

const CREDIT_HEADINGS = [
  'entry_id',
  'entered_at',
  'kind',
  'dataset_id',
  'dataset',
  'key_id',
  'key_name',
  'request_id',
  'credits',
  'balance',
]

export function creditsCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const period = periodOf(req)
    const pages = entryPages(db, sessionOf(req).orgId, period)
    await sendCsv(res, { name: `credits-${period.name}.csv`, headings: CREDIT_HEADINGS, pages })
  }
}

async function* entryPages(db: Web['db'], orgId: string, { first, last }: Period): AsyncGenerator<CsvCell[][]> {
  let before = NEWEST
  for (;;) {
    const entries = await creditEntries(db, orgId, first, last, before, ENTRIES_OF_FILE)
    yield entries.map((entry) => [
      entry.entryId,
      entry.enteredAt,
      entry.kind,
      entry.layerId,
      entry.dataset,
      entry.keyId,
      entry.keyName,
      entry.requestId,
      entry.credits,
      entry.balance,
    ])
    const oldest = entries.at(-1)
    if (!oldest || entries.length < ENTRIES_OF_FILE) return
    before = oldest.entryId
  }
}
