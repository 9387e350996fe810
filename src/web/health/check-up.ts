/** Runs the checks of the doctor for the web app, one run at a time, and keeps the last report. */
import { CHECKS } from '../../doctor/checks.js'
import { examine, type Report } from '../../doctor/examine.js'
import type { Database } from '../../db/connect.js'
import { deadlineIn, waitAtMost } from '../../deadline.js'

/** The checks share the database with the calls of the API. */
const CHECK_MS = 5000
const RUN_MS = 60_000
/** A report is shown for so long before the page asks for another. */
const FRESH_MS = 60_000

/** `fault`: the run ended early, mostly because the database was away. */
export type Run = { endedAt: Date; ms: number } & ({ report: Report } | { fault: string })

export type CheckUp = {
  /** Begins a run, unless one is under way. */
  begin: () => void
  /** Begins a run where the last report is old, and waits a moment for it. */
  refresh: (waitMs: number) => Promise<void>
  last: () => Run | undefined
  /** Undefined where no run is under way. */
  progress: () => Progress | undefined
}
type Progress = { done: number; all: number; looksAt: string }

type Databases = {
  service: Database
  /** Undefined on the embedded database, which has one role for all. */
  console: Database | undefined
}

export function openCheckUp(databases: Databases): CheckUp {
  let last: Run | undefined
  let underWay: { progress: Progress; ended: Promise<void> } | undefined
  const isFresh = () => last !== undefined && Date.now() - last.endedAt.getTime() < FRESH_MS

  const begin = () => {
    if (underWay) return
    const progress: Progress = { done: 0, all: CHECKS.length, looksAt: '' }
    const from = performance.now()
    const keep = (outcome: { report: Report } | { fault: string }) => {
      last = { ...outcome, endedAt: new Date(), ms: performance.now() - from }
      underWay = undefined
    }
    const ended = examineAsBoth(databases, (looksAt) =>
      Object.assign(progress, { done: progress.done + 1, looksAt }),
    ).then(
      (report) => keep({ report }),
      (error: Error) => keep({ fault: error.message }),
    )
    underWay = { progress, ended }
  }

  return {
    begin,
    refresh: async (waitMs) => {
      if (!isFresh()) begin()
      await waitAtMost(waitMs, underWay?.ended ?? Promise.resolve())
    },
    last: () => last,
    progress: () => underWay?.progress,
  }
}

/** frames_service reads all but people. frames_console makes the checks that the other role is refused. */
async function examineAsBoth({ service, console }: Databases, progress: (looksAt: string) => void): Promise<Report> {
  const bounds = { checkMs: CHECK_MS, until: deadlineIn(RUN_MS) }
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
