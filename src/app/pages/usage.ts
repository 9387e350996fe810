/** GET /app/usage: the calls of an organisation's keys by day, call, error and key. GET /app/usage.csv: every count. */
import type { Request, RequestHandler } from 'express'
import { barChart, groupedNumber, shareBar } from '../shell/chart.js'
import { type Column, distance, table } from '../shell/components.js'
import { sendCsv } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { daysOf, type Period, periodForm, periodOf } from '../shell/period.js'
import { noSuchPage } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import {
  type DayOfUse,
  type KeyOfUse,
  type OutcomeOfUse,
  useByDay,
  useByKey,
  useByOutcome,
  useOfDay,
  wordedAnswersNow,
  type WordedNow,
} from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { DAILY_CEILING, MONTHLY_ALLOWANCE } from '../../core/credits/allowance.js'
import type { CsvCell } from '../../core/csv.js'
import { withDeadline } from '../../core/db/connect.js'

export function usageRoute(web: Web): RequestHandler {
  return async (req, res) => sendPage(res, await usagePage(req, web))
}

async function usagePage(req: Request, { db }: Web): Promise<PageContent> {
  const { orgId } = sessionOf(req)
  const reads = withDeadline(db, req.context.deadline)
  const period = periodOf(req)
  const { first, last } = period
  const keys = await useByKey(reads, orgId, first, last)
  const key = chosenKey(req, keys)
  const keyIds = key ? [key.keyId] : keys.map(({ keyId }) => keyId)
  const [days, outcomes, [worded]] = await Promise.all([
    useByDay(reads, keyIds, first, last),
    useByOutcome(reads, keyIds, first, last),
    wordedAnswersNow(reads, orgId),
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
        ${periodLine(period)}${key && html` Calls of <a href="${app}/keys/${key.keyId}">${key.name}</a> …${key.lastFour}.`}
        Counts are at most 15 seconds old.
      </p>
      ${usageBody({ days, outcomes, worded, keys: key ? [key] : keys, path, period })}
    `,
  }
}

const periodLine = ({ title, first, last }: Period): string => `${title}: ${first} to ${last}, in days of UTC.`

/** The key that the address names. A key of another organisation is as unknown as one that nobody minted. */
function chosenKey<Key extends Pick<KeyOfUse, 'keyId'>>(
  { context: { asked } }: Request,
  keys: readonly Key[],
): Key | undefined {
  const keyId = asked.get('key')?.[0] ?? ''
  if (keyId === '') return undefined
  const key = keys.find((each) => each.keyId === keyId)
  if (!key) throw noSuchPage()
  return key
}

const keySelect = (keys: readonly KeyOfUse[], chosen: KeyOfUse | undefined): Html =>
  html`<label for="key">Key</label>
    <select id="key" name="key">
      <option value="">All keys</option>
      ${keys.map(
        ({ keyId, name, lastFour }) =>
          html`<option value="${keyId}" ${keyId === chosen?.keyId && html`selected`}>${name} …${lastFour}</option>`,
      )}
    </select>`

const USAGE_HEADINGS = ['day', 'key_id', 'key_name', 'call', 'outcome', 'bucket', 'calls', 'last_request_id']

export function usageCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const period = periodOf(req)
    const keys = await useByKey(withDeadline(db, req.context.deadline), orgId, period.first, period.last)
    const key = chosenKey(req, keys)
    const keyIds = key ? [key.keyId] : keys.map(({ keyId }) => keyId)
    const pages = usagePages(db, keyIds, daysOf(period))
    await sendCsv(res, { name: `usage-${period.name}.csv`, headings: USAGE_HEADINGS, pages })
  }
}

/** A day at a time: 90 days of a thousand keys do not fit in memory many times over. */
async function* usagePages(db: Web['db'], keyIds: string[], days: readonly string[]): AsyncGenerator<CsvCell[][]> {
  for (const day of days) {
    const rows = await useOfDay(db, keyIds, day)
    yield rows.map((row) => [
      row.day,
      row.keyId,
      row.keyName,
      row.call,
      row.outcome,
      row.bucket,
      row.calls,
      row.lastRequestId,
    ])
  }
}

type Usage = {
  days: readonly DayOfUse[]
  outcomes: readonly OutcomeOfUse[]
  worded: WordedNow | undefined
  keys: readonly KeyOfUse[]
  path: string
  period: Period
}

function usageBody({ days, outcomes, worded, keys, path, period }: Usage): Html {
  const sum = (pick: (day: DayOfUse) => number) => days.reduce((total, day) => total + pick(day), 0)
  const calls = sum((day) => day.calls)
  const errors = outcomesThatFailed(outcomes)
  const buckets = outcomesByBucket(outcomes)
  return html`
    <div class="figures">
      ${useFigure('Calls', calls)}
      ${useFigure(
        'Answered',
        sum((day) => day.answered),
        calls,
      )}
      ${useFigure(
        'Refused',
        sum((day) => day.refused),
        calls,
      )}
      ${useFigure(
        'Failed',
        sum((day) => day.failed),
        calls,
      )}
    </div>
    ${calls === 0 ? html`<p class="empty">No calls in this period.</p>` : usageChart(days)}
    ${worded && wordedSection(worded)}
    ${
      calls > 0 &&
      html`<section>
        <h2>By call</h2>
        ${table('Calls by call', callColumns, useByCall(outcomes))}
      </section>`
    }
    ${
      errors.length > 0 &&
      html`<section>
        <h2>Errors by code</h2>
        ${table('Errors by code', errorColumns, errors)}
      </section>`
    }
    ${
      buckets.length > 0 &&
      html`<section>
        <h2>Refusals by bucket</h2>
        <p class="quiet">These calls were refused with 429, because a bucket was spent.</p>
        ${table('Refusals by bucket', bucketColumns, buckets)}
      </section>`
    }
    ${
      keys.length > 0 &&
      html`<section>
        <h2>By key</h2>
        ${table('Calls by key', keyOfUseColumns(path, period), keys)}
      </section>`
    }
  `
}

const useFigure = (title: string, value: number, whole?: number): Html =>
  html`<div class="figure">
    <span class="quiet">${title}</span>
    <span class="number">${groupedNumber(value)}</span>
    ${whole !== undefined && whole > 0 && html`<span class="quiet">${usePercent(value, whole)}</span>`}
  </div>`

/** A share that is neither nothing nor all is never shown as 0 % or 100 %. */
function usePercent(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %'
  const share = (100 * part) / whole
  if (share < 0.1) return 'under 0.1 %'
  if (part < whole && share > 99.9) return 'over 99.9 %'
  return `${Math.round(share * 10) / 10} %`
}

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
    <details class="twin">
      <summary>The same as a table</summary>
      ${table('Calls by day', dayOfUseColumns, days.toReversed())}
    </details>
  </section>`

const dayOfUseColumns: readonly Column<DayOfUse>[] = [
  { heading: 'Day', cell: ({ day }) => day },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Answered', cell: ({ answered }) => groupedNumber(answered), align: 'number' },
  { heading: 'Refused', cell: ({ refused }) => groupedNumber(refused), align: 'number' },
  { heading: 'Failed', cell: ({ failed }) => groupedNumber(failed), align: 'number' },
  { heading: 'Client hung up', cell: ({ hungUp }) => groupedNumber(hungUp), align: 'number' },
]

/** The allowance is of the organisation, so a chosen key or period changes nothing here. */
function wordedSection({ plan, byAllowance, byCredits, today }: WordedNow): Html {
  const allowance = MONTHLY_ALLOWANCE[plan] ?? 0
  const line = (title: string, part: number, whole: number, note = '') =>
    html`<div class="share-line">
      <span>${title}</span>
      ${shareBar(part, whole)}
      <span class="number">${groupedNumber(part)} of ${groupedNumber(whole)}${note}</span>
    </div>`
  return html`<section>
    <h2>Worded answers of the organisation</h2>
    <div class="shares">
      ${line('This month, by allowance', byAllowance, allowance)} ${line('Today', today, DAILY_CEILING)}
    </div>
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

const outcomesThatFailed = (outcomes: readonly OutcomeOfUse[]) =>
  outcomes.filter(({ outcome }) => !ANSWERED.includes(outcome)).toSorted((one, other) => other.calls - one.calls)

const outcomesByBucket = (outcomes: readonly OutcomeOfUse[]) => outcomes.filter(({ bucket }) => bucket !== '')

const requestId = (id: string | null): Html => (id === null ? html`not kept` : html`<code>${id}</code>`)

const errorColumns: readonly Column<OutcomeOfUse>[] = [
  { heading: 'Code', cell: ({ outcome }) => html`<code>${outcome}</code>` },
  { heading: 'Call', cell: ({ call }) => html`<code>${call}</code>` },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Last request', cell: ({ lastRequestId }) => requestId(lastRequestId) },
]

const bucketColumns: readonly Column<OutcomeOfUse>[] = [
  { heading: 'Bucket', cell: ({ bucket }) => bucket },
  { heading: 'Call', cell: ({ call }) => html`<code>${call}</code>` },
  { heading: 'Refusals', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Last request', cell: ({ lastRequestId }) => requestId(lastRequestId) },
]

const keyOfUseColumns = (path: string, { name: period }: Period): readonly Column<KeyOfUse>[] => [
  {
    heading: 'Key',
    cell: ({ keyId, name, lastFour }) =>
      html`<a href="${path}?period=${period}&amp;key=${keyId}">${name}</a> <span class="quiet">…${lastFour}</span>`,
  },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Not answered', cell: ({ unanswered }) => groupedNumber(unanswered), align: 'number' },
  { heading: 'Last call', cell: ({ seenAt }) => (seenAt ? distance(seenAt) : 'never'), width: 'short' },
]
