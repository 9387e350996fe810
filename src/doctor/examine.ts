/** Runs the checks of the doctor on a database, and reports their findings. */
import type { Database } from '../db/connect.js'
import { hasPassed } from '../deadline.js'
import type { Bounds, Check, Known, Row } from './check.js'
import { CHECKS, FIRST } from './checks.js'
import { readKnown } from './known.js'
import { look, rowsOf, unchecked } from './look.js'

export type Finding = {
  check: string
  /**
   * "wrong" is an answer, a plan, an account or a right that is not right, or soon will not be; "advice" is an
   * improvement.
   */
  severity: 'wrong' | 'advice'
  what: string
  fix: string
}

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
  /** With bounds, no check makes copies either, so that all of them only read. */
  bounds?: Bounds
  progress?: (step: string) => void
}

const OLDEST_NODE = [20, 19] as const

const EMBEDDED = 'It concerns a PostgreSQL server, and this is the embedded database.'
const FIX_FIRST = `The findings of "${FIRST.name}" have to be fixed first.`
const MAKES_COPIES = 'It makes copies to compare with, and this run only reads.'
const NO_TIME_LEFT = 'The time of this run was over.'

export async function examine(db: Database, examination: Examination): Promise<Report> {
  const { isThorough = false, checks = CHECKS, bounds, progress = () => {} } = examination
  const findings: Finding[] = nodeFindings(process.versions.node)
  const report: Report = { ok: true, findings, checked: ['node'], sampled: [], unchecked: [] }
  const foundation = await rowsOf(db, FIRST, [], bounds)
  const known = foundation.length === 0 ? await readKnown(db, isThorough) : undefined
  for (const check of checks) {
    const omission = whyOmitted(check, examination)
    let rows: Row[]
    if (check === FIRST) rows = foundation
    else if (!known) rows = unchecked(FIX_FIRST)
    else if (omission !== undefined) rows = unchecked(omission)
    else {
      progress(check.looksAt)
      rows = await look(db, check, known, bounds)
    }
    addToReport(report, check, rows, known)
  }
  report.ok = findings.every(({ severity }) => severity !== 'wrong')
  return report
}

function whyOmitted({ only, copies }: Check, { isEmbedded, bounds }: Examination): string | undefined {
  if (only === 'server' && isEmbedded) return EMBEDDED
  if (bounds && copies) return MAKES_COPIES
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
    report.findings.push({ check: check.name, severity, what, fix: `${runBy(check, fix, known)}${fix}` })
  }
}

/**
 * A comment that names the owner, for a session without its rights. A role may change the settings of its own sessions.
 */
function runBy({ name }: Check, fix: string, known: Known | undefined): string {
  const isForAnyone = name === 'settings' || name === 'sessions' || /^(--|npm|psql)/.test(fix)
  return known === undefined || known.isOwner || isForAnyone ? '' : `-- ${known.owner} runs this:\n`
}

export function nodeFindings(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return []
  const oldest = OLDEST_NODE.join('.')
  const what = `Node is ${version}, ${oldest} is the oldest that works.`
  return [{ check: 'node', severity: 'wrong', what, fix: `-- Install Node ${oldest} or later.` }]
}
