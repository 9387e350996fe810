/** GET /app/health: the doctor's findings and the slowest statements, for operators. POST /app/health: runs the checks. */
import type { Request, RequestHandler } from 'express'
import { withDeadline } from '../../core/db/connect.js'
import type { Services } from '../../services.js'
import { number } from '../shell/chart.js'
import { copyableText, instantText, table, type Column } from '../shell/components.js'
import type { CheckUp } from '../health/check-up.js'
import { slowestStatements, type Slowest, type SlowStatement } from '../health/slowest.js'
import { html, type Html } from '../shell/html.js'
import { goTo, sendPage } from '../shell/send-page.js'
import type { Web } from '../shell/web.js'
import { checkUpSections } from './health-findings.js'

export function healthRoute(services: Services, web: Web, checkUp: CheckUp): RequestHandler {
  return async (req, res) => {
    const slowest = await readSlowest(req, services, web)
    const { app } = req.visit.place
    const isUnderWay = checkUp.progress() !== undefined
    sendPage(res, {
      title: 'Health',
      section: '/health',
      scripts: isUnderWay ? ['reload.js'] : [],
      actions: isUnderWay
        ? html`<a class="button" href="${app}/health">Look again</a>`
        : html`<form class="inline" method="post" action="${app}/health"><button>Run the checks</button></form>`,
      body: html`${checkUpSections(checkUp, web.isEmbedded)} ${slowestSection(slowest)}`,
    })
  }
}

export const runChecksRoute =
  (checkUp: CheckUp): RequestHandler =>
  (_req, res) => {
    checkUp.begin()
    goTo(res, '/health')
  }

/** The embedded database has one role for all, and never has the extension. */
async function readSlowest({ context: { deadline } }: Request, { primary }: Services, web: Web): Promise<Slowest> {
  const { db, isEmbedded, isPrimaryAway } = web
  if (isEmbedded)
    return {
      lacking:
        'The embedded database cannot have pg_stat_statements: a PostgreSQL server can. Here this line measures a call.',
      install: "npm run -s frames -- explain 'GET /v1/frames/at?lat=0.105&lon=0.205'",
    }
  if (isPrimaryAway()) return { lacking: 'The primary is away.', install: undefined }
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
        ? html`<p>${slowest.lacking}</p>
            ${slowest.install !== undefined && copyableText('install-line', slowest.install, 'The lines that change it')}`
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
