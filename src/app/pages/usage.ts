/** GET /app/usage: the calls of an organisation's keys by day, call, error and key. GET /app/usage.csv: every count. */
import type { Request, RequestHandler } from 'express'
import type { DayOfUse, KeyOfUse, OutcomeOfUse, UseRow, WordedNow } from '../shell/rows.js'
import { percentOf } from '../catalogue/words.js'
import { barChart, groupedNumber, shareBar } from '../shell/chart.js'
import { type Column, distance, figure, folded, option, requestLink, table, tableSection } from '../shell/components.js'
import { type Cells, columnsOf, csvColumnsOf } from '../shell/columns.js'
import { sendRows } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { daysOf, type Period, periodForm, periodOf, periodText } from '../shell/period.js'
import { noSuchPage } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { useByDay, useByKey, useByOutcome, useOfDay, wordedAnswersNow } from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { DAILY_CEILING, MONTHLY_ALLOWANCE } from '../../core/credits/index.js'

export const usageRoute: RequestHandler = async (req, res) => sendPage(res, await usagePage(req))

async function usagePage(req: Request): Promise<PageContent> {
  const { orgId } = sessionOf(req)
  const { db } = req.visit
  const period = periodOf(req)
  const { first, last } = period
  const keys = await useByKey(db, orgId, first, last)
  const key = chosenKey(req, keys)
  const keyIds = key ? [key.keyId] : keys.map(({ keyId }) => keyId)
  const [days, outcomes, [worded]] = await Promise.all([
    useByDay(db, keyIds, first, last),
    useByOutcome(db, keyIds, first, last),
    wordedAnswersNow(db, orgId),
  ])
  const { app } = req.visit.place
  const path = `${app}/usage`
  const query = `period=${period.name}${key ? `&key=${key.keyId}` : ''}`
  return {
    title: 'Usage',
    section: '/usage',
    actions: html`<a class="button" href="${path}.csv?${query}" download>Download CSV</a>`,
    body: html`
      ${periodForm(path, period, keySelect(keys, key))}
      <p class="quiet">
        ${periodText(period)}${key && html` Calls of <a href="${app}/keys/${key.keyId}">${key.name}</a> …${key.lastFour}.`}
        Counts are at most 15 seconds old.
      </p>
      ${usageBody({ days, outcomes, worded, keys: key ? [key] : keys, app, period })}
    `,
  }
}

/** The key that the address names. A key of another organisation is as unknown as one that nobody minted. */
function chosenKey({ context: { asked } }: Request, keys: readonly KeyOfUse[]): KeyOfUse | undefined {
  const keyId = asked.get('key')?.[0] ?? ''
  if (keyId === '') return undefined
  const key = keys.find((each) => each.keyId === keyId)
  if (!key) throw noSuchPage()
  return key
}

const keySelect = (keys: readonly KeyOfUse[], chosen: KeyOfUse | undefined): Html =>
  html`<div class="row">
    <label for="key">Key</label>
    <select id="key" name="key">
      <option value="">All keys</option>
      ${keys.map(({ keyId, name, lastFour }) => option(keyId, `${name} …${lastFour}`, keyId === chosen?.keyId))}
    </select>
  </div>`

export function usageCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const period = periodOf(req)
    const keys = await useByKey(req.visit.db, sessionOf(req).orgId, period.first, period.last)
    const key = chosenKey(req, keys)
    const keyIds = key ? [key.keyId] : keys.map(({ keyId }) => keyId)
    await sendRows(res, `usage-${period.name}.csv`, csvColumnsOf(useOfDay), usagePages(db, keyIds, daysOf(period)))
  }
}

/** A day at a time: 90 days of a thousand keys do not fit in memory many times over. */
async function* usagePages(db: Web['db'], keyIds: string[], days: readonly string[]): AsyncGenerator<UseRow[]> {
  for (const day of days) yield await useOfDay(db, keyIds, day)
}

type Usage = {
  days: readonly DayOfUse[]
  outcomes: readonly OutcomeOfUse[]
  worded: WordedNow | undefined
  keys: readonly KeyOfUse[]
  app: string
  period: Period
}

function usageBody({ days, outcomes, worded, keys, app, period }: Usage): Html {
  const sum = (count: Exclude<keyof DayOfUse, 'day'>) => days.reduce((total, day) => total + day[count], 0)
  const calls = sum('calls')
  const errors = outcomes
    .filter(({ outcome }) => !ANSWERED.includes(outcome))
    .toSorted((one, other) => other.calls - one.calls)
  const buckets = outcomes.filter(({ bucket }) => bucket !== '')
  return html`
    <div class="grid">
      ${figure('Calls', groupedNumber(calls), false)} ${useFigure('Answered', sum('answered'), calls)}
      ${useFigure('Refused', sum('refused'), calls)} ${useFigure('Failed', sum('failed'), calls)}
    </div>
    ${calls === 0 ? html`<p class="empty">No calls in this period.</p>` : usageChart(days)}
    ${worded && wordedSection(worded)}
    ${calls > 0 && tableSection('By call', 'Calls by call', callColumns, useByCall(outcomes))}
    ${tableSection('Errors by code', 'Errors by code', errorColumns(app), errors)}
    ${
      buckets.length > 0 &&
      html`<section>
        <h2>Refusals by bucket</h2>
        <p class="quiet">These calls were refused with 429, because a bucket was spent.</p>
        ${table('Refusals by bucket', bucketColumns(app), buckets)}
      </section>`
    }
    ${tableSection('By key', 'Calls by key', columnsOf(useByKey, keyCells(`${app}/usage`, period)), keys)}
  `
}

const useFigure = (title: string, value: number, whole: number): Html =>
  figure(title, groupedNumber(value), whole > 0 && percentOf(value, whole))

const usageChart = (days: readonly DayOfUse[]): Html =>
  html`<section>
    ${barChart({
      title: 'Calls by day',
      unit: 'calls',
      days: days.map(({ day }) => day),
      series: [
        { kind: 'answered', title: 'Answered', values: days.map(({ answered }) => answered) },
        { kind: 'refused', title: 'Refused', values: days.map(({ refused }) => refused) },
        { kind: 'failed', title: 'Failed', values: days.map(({ failed }) => failed) },
        { kind: 'hung-up', title: 'Client hung up', values: days.map(({ hungUp }) => hungUp) },
      ],
    })}
    ${folded('twin', 'The same as a table', table('Calls by day', columnsOf(useByDay), days.toReversed()))}
  </section>`

/** The allowance is of the organisation, so a chosen key or period changes nothing here. */
function wordedSection({ plan, byAllowance, byCredits, today }: WordedNow): Html {
  const allowance = MONTHLY_ALLOWANCE[plan] ?? 0
  const line = (title: string, part: number, whole: number, note = '') =>
    html`<li>
      <span>${title}</span>
      <span class="number">${groupedNumber(part)} of ${groupedNumber(whole)}${note}</span>
      ${shareBar(part, whole)}
    </li>`
  return html`<section>
    <h2>Worded answers of the organisation</h2>
    <ul class="bars">
      ${line('This month, by allowance', byAllowance, allowance)} ${line('Today', today, DAILY_CEILING)}
    </ul>
    <p class="quiet">
      Plan ${plan}. ${byCredits === 0 ? 'No answer' : groupedNumber(byCredits)} of this month
      ${byCredits > 1 ? 'were' : 'was'} paid with credits. Months and days are UTC.
    </p>
  </section>`
}

const ANSWERED: readonly string[] = ['ok', 'worded', 'not_modified']

type UseOfCall = { call: string; calls: number; notModified: number; worded: number; unanswered: number }

function useByCall(outcomes: readonly OutcomeOfUse[]): UseOfCall[] {
  const byCall = new Map<string, UseOfCall>()
  for (const { call, outcome, calls } of outcomes) {
    const use = byCall.get(call) ?? { call, calls: 0, notModified: 0, worded: 0, unanswered: 0 }
    use.calls += calls
    if (outcome === 'not_modified') use.notModified += calls
    if (outcome === 'worded') use.worded += calls
    if (!ANSWERED.includes(outcome)) use.unanswered += calls
    byCall.set(call, use)
  }
  return [...byCall.values()].toSorted((one, other) => other.calls - one.calls)
}

const callColumns: readonly Column<UseOfCall>[] = [
  { heading: 'Call', cell: ({ call }) => html`<code>${call}</code>` },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Not modified', cell: ({ notModified }) => groupedNumber(notModified), align: 'number' },
  { heading: 'Worded', cell: ({ worded }) => groupedNumber(worded), align: 'number' },
  { heading: 'Not answered', cell: ({ unanswered }) => groupedNumber(unanswered), align: 'number' },
]

const errorColumns = (app: string): readonly Column<OutcomeOfUse>[] => [
  { heading: 'Code', cell: ({ outcome }) => html`<code>${outcome}</code>` },
  { heading: 'Call', cell: ({ call }) => html`<code>${call}</code>` },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Last request', cell: ({ lastRequestId }) => requestLink(app, lastRequestId) },
]

const bucketColumns = (app: string): readonly Column<OutcomeOfUse>[] => [
  { heading: 'Bucket', cell: ({ bucket }) => bucket },
  { heading: 'Call', cell: ({ call }) => html`<code>${call}</code>` },
  { heading: 'Refusals', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Last request', cell: ({ lastRequestId }) => requestLink(app, lastRequestId) },
]

const keyCells = (path: string, { name: period }: Period): Cells<KeyOfUse> => ({
  name: ({ keyId, name, lastFour }) =>
    html`<a href="${path}?period=${period}&amp;key=${keyId}">${name}</a> <span class="quiet">…${lastFour}</span>`,
  seenAt: ({ seenAt }) => (seenAt ? distance(seenAt) : 'never'),
})
