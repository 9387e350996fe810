/** Runs the checks of the doctor on a database, and reports their findings. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/connect.js'
import { hasPassed } from '../deadline.js'
import type { Bounds, Check, Known, Row } from './check.js'
import { CHECKS, FIRST } from './checks.js'
import { readKnown, type Reading } from './known.js'
import { FAILED, INTERRUPTED, look, rowsOf, unchecked } from './look.js'

export type Finding = {
  check: string
  /**
   * "wrong" is an answer, a plan, an account or a right that is not right, or soon will not be; "advice" is an
   * improvement.
   */
  severity: 'wrong' | 'advice'
  what: string
  fix: string
  fixKind: FixKind
}

/** Statements, lines for a shell, lines for a shell that make the index anew, or words about what a person has to do. */
type FixKind = 'sql' | 'shell' | 'rebuild' | 'manual'

export type Report = {
  ok: boolean
  findings: Finding[]
  /** The checks that were made. */
  checked: string[]
  /** The checks that read a part of the frames or features. */
  sampled: string[]
  unchecked: { check: string; why: string }[]
}

export type Examination = {
  isEmbedded: boolean
  /** Every check reads all frames and features. */
  isThorough?: boolean
  checks?: readonly Check[]
  /** On the embedded database calls run between the checks. */
  bounds?: Bounds
  progress?: (step: string) => void
}

const OLDEST_NODE = [20, 19] as const

const EMBEDDED = 'It concerns a PostgreSQL server, and this is the embedded database.'
const FIX_FIRST = `The findings of "${FIRST.name}" have to be fixed first.`
const NO_TIME_LEFT = 'The time of this run was over.'
const ENDED_EARLY = 'The connection to the database ended before it.'
const HOLDS_CALLS_UP = 'It reads every frame of a large index, and no call is answered meanwhile.'

export async function examine(db: Database, examination: Examination): Promise<Report> {
  const { checks = CHECKS, bounds, progress = () => {} } = examination
  const findings: Finding[] = nodeFindings(process.versions.node)
  const report: Report = { ok: true, findings, checked: ['node'], sampled: [], unchecked: [] }
  const foundation = await rowsOf(db, FIRST, [], bounds)
  const known = foundation.length === 0 ? await readKnown(db, readingOf(examination)) : undefined
  let isInterrupted = false
  for (const check of checks) {
    const omission = isInterrupted ? ENDED_EARLY : whyOmitted(check, examination, known)
    let rows: Row[]
    if (check === FIRST) rows = foundation
    else if (!known) rows = unchecked(FIX_FIRST)
    else if (omission !== undefined) rows = unchecked(omission)
    else {
      progress(check.looksAt)
      const from = performance.now()
      rows = await look(db, check, known, bounds)
      isInterrupted = rows.includes(INTERRUPTED)
      if (isBetweenCalls(examination)) await sleep(performance.now() - from)
    }
    addToReport(report, check, rows, known)
  }
  report.ok = findings.every(({ severity }) => severity !== 'wrong')
  return report
}

/** The embedded database answers one statement at a time: after a check, calls have it for as long as the check had. */
const isBetweenCalls = ({ isEmbedded, bounds }: Examination): boolean => isEmbedded && bounds !== undefined

const readingOf = (examination: Examination): Reading =>
  examination.isThorough ? 'thorough' : isBetweenCalls(examination) ? 'betweenCalls' : 'usual'

function whyOmitted(check: Check, examination: Examination, known: Known | undefined): string | undefined {
  const { only, readsAll } = check
  const { isEmbedded, bounds } = examination
  if (only === 'server' && isEmbedded) return EMBEDDED
  if (isBetweenCalls(examination) && known?.isLarge && readsAll) return HOLDS_CALLS_UP
  return bounds && hasPassed(bounds.until) ? NO_TIME_LEFT : undefined
}

function addToReport(report: Report, check: Check, rows: Row[], known: Known | undefined): void {
  const why = rows.find(({ severity }) => severity === 'unchecked')?.what
  if (why !== undefined) report.unchecked.push({ check: check.name, why })
  else {
    report.checked.push(check.name)
    if (check.samples && known && known.percent[check.samples] < 100) report.sampled.push(check.name)
  }
  for (const { severity, what, fix } of rows) {
    if (severity === 'unchecked') continue
    const same = what.startsWith(FAILED) ? report.findings.find((finding) => finding.what === what) : undefined
    if (same) report.unchecked.push({ check: check.name, why: `It failed as ${same.check} did.` })
    else report.findings.push(findingOf(check.name, severity, what, `${runBy(check, fix, known)}${fix}`))
  }
}

function findingOf(check: string, severity: Finding['severity'], what: string, fix: string): Finding {
  const fixKind = fixKindOf(fix)
  const isOfShell = fixKind === 'shell' || fixKind === 'rebuild'
  return { check, severity, what, fix: isOfShell ? `-- In a shell:\n${fix}` : fix, fixKind }
}

function fixKindOf(fix: string): FixKind {
  const lines = fix.split('\n').filter((line) => !line.startsWith('--'))
  if (lines.length === 0) return 'manual'
  if (lines.some((line) => /^npm run -s frames -- (build|import) /.test(line))) return 'rebuild'
  return lines.some((line) => line.startsWith('npm ')) ? 'shell' : 'sql'
}

/**
 * A comment that names the owner, for a session without its rights. A role may change the settings of its own sessions.
 */
function runBy({ name }: Check, fix: string, known: Known | undefined): string {
  const isForAnyone = name === 'settings' || name === 'sessions' || /^(--|npm)/.test(fix)
  return known === undefined || known.isOwner || isForAnyone ? '' : `-- ${known.owner} runs this:\n`
}

export function nodeFindings(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return []
  const oldest = OLDEST_NODE.join('.')
  const what = `Node is ${version}, ${oldest} is the oldest that works.`
  return [findingOf('node', 'wrong', what, `-- Install Node ${oldest} or later.`)]
}
