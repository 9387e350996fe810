/** GET /app/health: the doctor's findings and the slowest statements, for operators. POST /app/health: checks again. */
import type { Request, RequestHandler } from 'express'
import { withDeadline } from '../../db/connect.js'
import type { Services } from '../../services.js'
import { number } from '../chart.js'
import { instantText, table, type Column } from '../components.js'
import type { CheckUp } from '../health/check-up.js'
import { slowestStatements, type Slowest, type SlowStatement } from '../health/slowest.js'
import { html, type Html } from '../html.js'
import { noticeOf } from '../notice.js'
import { goTo, sendPage } from '../send-page.js'
import { placeOfRequest, type Web } from '../web.js'
import { checkUpSections } from './health-findings.js'

/** On a small index all checks end in this time. */
const WAIT_MS = 3000

const NOTICES = { run: 'The checks run again.' }

export function healthRoute(services: Services, web: Web, checkUp: CheckUp): RequestHandler {
  return async (req, res) => {
    const [slowest] = await Promise.all([
      readSlowest(req, services, web),
      web.isPrimaryAway() ? Promise.resolve() : checkUp.refresh(WAIT_MS),
    ])
    const { app } = placeOfRequest(req)
    const isUnderWay = checkUp.progress() !== undefined
    sendPage(res, {
      title: 'Health',
      section: '/health',
      notice: isUnderWay ? noticeOf(req, NOTICES) : undefined,
      actions: isUnderWay
        ? html`<a class="button" href="${app}/health">Look again</a>`
        : html`<form class="inline" method="post" action="${app}/health"><button>Run the checks again</button></form>`,
      body: html`${checkUpSections(checkUp, web.isEmbedded)} ${slowestSection(slowest)}`,
    })
  }
}

export const runChecksRoute =
  (checkUp: CheckUp): RequestHandler =>
  (_req, res) => {
    checkUp.begin()
    goTo(res, '/health?done=run')
  }

/** The embedded database has one role for all, and never has the extension. */
async function readSlowest({ deadline }: Request, { primary }: Services, web: Web): Promise<Slowest> {
  const { db, isEmbedded, isPrimaryAway } = web
  if (isEmbedded) return { lacking: 'The embedded database has no pg_stat_statements.' }
  if (isPrimaryAway()) return { lacking: 'The primary is away.' }
  return await slowestStatements({
    frames_service: withDeadline(primary, deadline),
    frames_console: withDeadline(db, deadline),
  })
}

const slowestSection = (slowest: Slowest): Html =>
  html`<section>
    <h2>Statements that took the most time</h2>
    ${
      'lacking' in slowest
        ? html`<p class="empty">${slowest.lacking}</p>`
        : html`<p class="quiet">
              Of the API and of this app${slowest.since && html`, since ${instantText(slowest.since)}`}.
              <code>npm run -s frames -- explain 'GET /v1/...'</code> shows the plans of a call.
            </p>
            ${
              slowest.statements.length === 0
                ? html`<p class="empty">None has run yet.</p>`
                : table('Statements that took the most time', slowColumns, slowest.statements)
            }`
    }
  </section>`

const milliseconds = (ms: number): string => number(Number(ms.toPrecision(3)))

const slowColumns: readonly Column<SlowStatement>[] = [
  { heading: 'File', cell: ({ place }) => html`<code>${place}</code>`, width: 'wide' },
  { heading: 'Role', cell: ({ role }) => role },
  { heading: 'Calls', cell: ({ calls }) => number(calls), align: 'number' },
  { heading: 'Rows a call', cell: ({ rows, calls }) => number(Math.round(rows / calls)), align: 'number' },
  { heading: 'Mean, ms', cell: ({ totalMs, calls }) => milliseconds(totalMs / calls), align: 'number' },
  { heading: 'Longest, ms', cell: ({ longestMs }) => milliseconds(longestMs), align: 'number' },
  { heading: 'In all, s', cell: ({ totalMs }) => milliseconds(totalMs / 1000), align: 'number' },
]
