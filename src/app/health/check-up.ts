/** Runs the checks of the doctor for the web app, one run at a time, and keeps the last report. */
import { CHECKS } from '../../core/doctor/checks.js'
import { examine, type Report } from '../../core/doctor/examine.js'
import { isLost, type Database } from '../../core/db/connect.js'
import { DeadlinePassed, deadlineIn } from '../../core/deadline.js'

/** The checks share the database with the calls of the API. */
const CHECK_MS = 5000
const RUN_MS = 60_000

/** `fault`: the run ended before its first check, mostly because the database was away. */
export type CheckUpRun = { endedAt: Date; ms: number } & ({ report: Report } | { fault: string })

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
type OnFault = (check: string, error: Error) => void

/** `onFault` gets what ended a run early, for the log. The page says it in plain words. */
export function openCheckUp(databases: Databases, onFault: OnFault): CheckUp {
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
      examineAsBoth(databases, next, onFault).then(
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

/** Checks that need the tables of people run as frames_console, all others as frames_service. */
async function examineAsBoth(
  { service, console }: Databases,
  progress: (looksAt: string) => void,
  onFault: OnFault,
): Promise<Report> {
  const bounds = { checkMs: CHECK_MS, until: deadlineIn(RUN_MS), onFault }
  const report = await examine(service, { isEmbedded: console === undefined, bounds, progress })
  if (!console || report.unchecked.length === 0) return report
  const left = new Set(report.unchecked.map(({ check }) => check))
  const checks = CHECKS.filter(({ name }) => left.has(name))
  return withMore(report, await examine(console, { isEmbedded: false, checks, bounds }))
}

function withMore(report: Report, more: Report): Report {
  const checked = new Set(more.checked)
  const findings = [...report.findings, ...more.findings.filter(({ check }) => check !== 'node')]
  return {
    ok: findings.every(({ severity }) => severity !== 'wrong'),
    findings,
    checked: [...report.checked, ...more.checked.filter((check) => check !== 'node')],
    sampled: [...report.sampled, ...more.sampled],
    unchecked: report.unchecked.filter(({ check }) => !checked.has(check)),
  }
}
