/** GET /app/health: the doctor's findings and the slowest statements, for operators. POST /app/health: runs the checks. */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { Request, RequestHandler } from 'express'
import { countText } from '../shell/amounts.js'
import { groupedNumber } from '../shell/chart.js'
import {
  badge,
  type Column,
  copyable,
  copyableText,
  distance,
  emptyState,
  folded,
  instantText,
  table,
} from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { goTo, sendPage } from '../shell/send-page.js'
import type { Web } from '../shell/web.js'
import { type Database, isLost, projectFolder, statement, withDeadline } from '../../core/db/index.js'
import { type CheckBounds, CHECKS, examine, type Finding, type Report, verdict } from '../../core/doctor/index.js'
import type { Services } from '../../services.js'
import { deadlineIn, DeadlinePassed } from '../../core/deadline.js'

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
        : html`<form class="row" method="post" action="${app}/health"><button>Run the checks</button></form>`,
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

const milliseconds = (ms: number): string => groupedNumber(Number(ms.toPrecision(3)))

const slowColumns: readonly Column<SlowStatement>[] = [
  { heading: 'File', cell: ({ place }) => html`<code>${place}</code>`, width: 'wide' },
  { heading: 'Role', cell: ({ role }) => role },
  { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
  { heading: 'Rows a call', cell: ({ rows, calls }) => groupedNumber(Math.round(rows / calls)), align: 'number' },
  { heading: 'Mean, ms', cell: ({ totalMs, calls }) => milliseconds(totalMs / calls), align: 'number' },
  { heading: 'Longest, ms', cell: ({ longestMs }) => milliseconds(longestMs), align: 'number' },
  { heading: 'In all, s', cell: ({ totalMs }) => milliseconds(totalMs / 1000), align: 'number' },
]

const AS_OWNER = "DATABASE_URL='postgres://frames_owner@HOST/frames' npm run -s frames -- doctor"
const ON_THIS_MACHINE = 'npm run -s frames -- doctor'

function checkUpSections(checkUp: Pick<CheckUp, 'last' | 'progress'>, isEmbedded: boolean): Html {
  const last = checkUp.last()
  const progress = checkUp.progress()
  return html`
    ${
      progress &&
      html`<p class="notice plain" role="status">
        Check ${progress.done} of ${progress.all} is under way${progress.looksAt && html`: ${progress.looksAt}`}. This
        page looks again every two seconds.
      </p>`
    }
    ${last ? runSections(last, isEmbedded) : !progress && notRun(isEmbedded)}
  `
}

const notRun = (isEmbedded: boolean): Html =>
  emptyState(
    'No checks have run since this process started',
    html`<p>
      ${
        isEmbedded
          ? 'They take some seconds. Calls wait for a check to end meanwhile, a second or two on a busy machine: the embedded database does one thing at a time.'
          : 'They take a minute at most, on a connection of their own.'
      }
    </p>`,
  )

function runSections(run: CheckUpRun, isEmbedded: boolean): Html {
  const asOf = html`The checks ended ${distance(run.endedAt)}, and took ${(run.ms / 1000).toFixed(1)} seconds.`
  if ('fault' in run)
    return html`<p class="notice bad">The checks could not be made. ${run.fault}</p>
      <p class="quiet">${asOf}</p>`
  const { report } = run
  const { sampled } = report
  return html`
    <p class="notice ${report.ok ? 'good' : 'bad'}">${verdict(report)}</p>
    <p class="quiet">
      ${asOf} ${sampled.length > 0 && `These looked at a sample of a large table: ${sampled.join(', ')}.`}
    </p>
    ${['wrong', 'advice'].flatMap((severity) =>
      report.findings.filter((finding) => finding.severity === severity).map((finding, i) => findingCard(finding, i)),
    )}
    ${uncheckedSection(report, isEmbedded)}
    ${folded(
      'twin',
      `${countText(report.checked.length, 'check')} made`,
      table('Checks that were made', checkedColumns, report.checked),
    )}
  `
}

const findingCard = ({ check, severity, what, fix }: Finding, i: number): Html =>
  html`<section class="panel">
    <p>${badge(severity, severity === 'wrong' ? 'bad' : 'warn')} <code>${check}</code></p>
    <p>${what}</p>
    ${copyableText(`fix-${severity}-${i}`, fix, `Fix of ${check}, ${severity} ${i + 1}`)}
  </section>`

const looksAtOf = (check: string): string => CHECKS.find(({ name }) => name === check)?.looksAt ?? ''

const uncheckedColumns: readonly Column<Report['unchecked'][number]>[] = [
  { heading: 'Check', cell: ({ check }) => html`<code>${check}</code>` },
  { heading: 'Looks at', cell: ({ check }) => looksAtOf(check), width: 'wide' },
  { heading: 'Why not', cell: ({ why }) => why, width: 'wide' },
]

const uncheckedSection = ({ unchecked }: Report, isEmbedded: boolean): Html | false =>
  unchecked.length > 0 &&
  html`<section>
    <h2>Not checked here</h2>
    <p>${isEmbedded ? 'The command line makes more checks.' : 'The owner of the tables makes more checks.'}</p>
    ${copyable('doctor-line', isEmbedded ? ON_THIS_MACHINE : AS_OWNER)}
    ${folded(
      'twin',
      `${countText(unchecked.length, 'check')} not made`,
      table('Checks that were not made', uncheckedColumns, unchecked),
    )}
  </section>`

const checkedColumns: readonly Column<string>[] = [
  { heading: 'Check', cell: (check) => html`<code>${check}</code>` },
  {
    heading: 'Looks at',
    cell: (check) => (check === 'node' ? 'the version of Node' : looksAtOf(check)),
    width: 'wide',
  },
]

type SlowestRow = { name: string; calls: number; rows: number; totalMs: number; longestMs: number; since: Date | null }
const statementsInstall = statement<[], { lines: string }>('inspect/statements_install')
const statementsSlowest = statement<[most: number, leftOut: string[]], SlowestRow>('inspect/statements_slowest')

/** `role` is the role that ran it. `place` is its file, or its file and function. */
type SlowStatement = Omit<SlowestRow, 'name' | 'since'> & { place: string; role: string }
/** `lacking` says why there are no figures, and `install` has the lines that change that. */
type Slowest = { statements: SlowStatement[]; since: Date | null } | { lacking: string; install: string | undefined }

const STATEMENTS_MAX = 20

/** The page leaves out the statements of the doctor: people want to see calls. A check may share its name with a file. */
const OF_DOCTOR = /^(doctor|inspect|schema|session)\//

/** PostgreSQL answers these where the extension is not made, and where its library is not loaded. */
const NOT_MADE = '42P01'
const NOT_LOADED = '55000'
const UNLOADED = 'The server has not loaded pg_stat_statements: shared_preload_libraries has to name it.'

/** PostgreSQL shows a role the texts of its own statements only, so each role is asked. */
async function slowestStatements(roles: Readonly<Record<string, Pick<Database, 'rows'>>>): Promise<Slowest> {
  try {
    const asked = Object.entries(roles).map(async ([role, db]) =>
      (await statementsSlowest(db, STATEMENTS_MAX, ofDoctor)).map((row) => ({ ...row, role })),
    )
    const rows = (await Promise.all(asked)).flat().toSorted((one, other) => other.totalMs - one.totalMs)
    const statements = rows
      .slice(0, STATEMENTS_MAX)
      .map(({ name, since: _since, ...row }) => ({ ...row, place: statementPlace(name) }))
    return { statements, since: rows[0]?.since ?? null }
  } catch (error) {
    const { code } = error as { code?: string }
    const [db] = Object.values(roles)
    if (code === NOT_MADE && db) return await notMade(db)
    if (code === NOT_LOADED) return { lacking: UNLOADED, install: undefined }
    throw error
  }
}

async function notMade(db: Pick<Database, 'rows'>): Promise<Slowest> {
  const [install] = await statementsInstall(db)
  return {
    lacking: 'There is no pg_stat_statements in this database. These lines install it.',
    install: install?.lines,
  }
}

const sqlFiles = readdirSync(new URL('sql/', projectFolder), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.sql'),
)
const statementName = (file: string) => basename(file, '.sql')
const ofDoctor = [
  ...sqlFiles.filter((file) => OF_DOCTOR.test(file)).map(statementName),
  ...CHECKS.map(({ name }) => name),
]
const fileOf: ReadonlyMap<string, string> = new Map(sqlFiles.map((file) => [statementName(file), `sql/${file}`]))

/** A file begins with its name; a statement that Kysely built begins with its place in src/. */
const statementPlace = (name: string): string => fileOf.get(name) ?? name

/** The checks share the database with the calls of the API. */
const CHECK_MS = 5000
const RUN_MS = 60_000

/** `fault`: the run ended before its first check, mostly because the database was away. */
type CheckUpRun = { endedAt: Date; ms: number } & ({ report: Report } | { fault: string })

export type CheckUp = {
  /** Begins a run, unless one is under way. */
  begin: () => void
  last: () => CheckUpRun | undefined
  /** Undefined where no run is under way. */
  progress: () => CheckProgress | undefined
}
type CheckProgress = { done: number; all: number; looksAt: string }

type Databases = {
  service: Database
  /** Undefined on the embedded database, which has one role for all. */
  console: Database | undefined
}

/** One run at a time. `onFault` gets what ended it early, for the log. The page says it in plain words. */
export function openCheckUp({ service, console: other }: Databases, onFault: CheckBounds['onFault']): CheckUp {
  let last: CheckUpRun | undefined
  let progress: CheckProgress | undefined

  return {
    begin: () => {
      if (progress) return
      const current: CheckProgress = { done: 0, all: CHECKS.length, looksAt: '' }
      progress = current
      const from = performance.now()
      const keep = (outcome: { report: Report } | { fault: string }) => {
        last = { ...outcome, endedAt: new Date(), ms: performance.now() - from }
        progress = undefined
      }
      const next = (looksAt: string) => void Object.assign(current, { done: current.done + 1, looksAt })
      // The tables of people are read as frames_console, all others as frames_service.
      const bounds = { checkMs: CHECK_MS, until: deadlineIn(RUN_MS), onFault }
      examine(service, { isEmbedded: other === undefined, other, bounds, progress: next }).then(
        (report) => keep({ report }),
        (error: Error) => {
          onFault('all', error)
          keep({ fault: faultSentence(error) })
        },
      )
    },
    last: () => last,
    progress: () => progress,
  }
}

/** The text of a driver names sockets and files, and helps nobody on a page. */
function faultSentence(error: Error): string {
  if (error instanceof DeadlinePassed || isLost(error)) return 'The database did not answer.'
  return 'The checks could not begin. The log of the service has the reason.'
}
