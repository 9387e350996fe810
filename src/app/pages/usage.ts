/** GET /app/usage: the calls of an organisation's keys by day, call, error and key. GET /app/usage.csv: every count. */
import type { Request, RequestHandler } from 'express'
import type { CsvCell } from '../../core/csv.js'
import { withDeadline } from '../../core/db/connect.js'
import { sendCsv } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import type { Page } from '../shell/layout.js'
import { daysOf, periodForm, periodOf, type Period } from '../shell/period.js'
import { noSuchPage } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { useByDay, useByKey, useByOutcome, useOfDay, wordedAnswersNow, type KeyOfUse } from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { usageBody } from './usage-sections.js'

export function usageRoute(web: Web): RequestHandler {
  return async (req, res) => sendPage(res, await usagePage(req, web))
}

async function usagePage(req: Request, { db }: Web): Promise<Page> {
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

const HEADINGS = ['day', 'key_id', 'key_name', 'call', 'outcome', 'bucket', 'calls', 'last_request_id']

export function usageCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const period = periodOf(req)
    const keys = await useByKey(withDeadline(db, req.context.deadline), orgId, period.first, period.last)
    const key = chosenKey(req, keys)
    const keyIds = key ? [key.keyId] : keys.map(({ keyId }) => keyId)
    const pages = usagePages(db, keyIds, daysOf(period))
    await sendCsv(res, { name: `usage-${period.name}.csv`, headings: HEADINGS, pages })
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
