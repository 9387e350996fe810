/** Runs the checks of the doctor on a database, and reports their findings. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  expectedObjects,
  functionFiles,
  isLost,
  migrationNames,
  OBJECTS,
  type PresentObject,
  PRIMARY_CONNECTIONS,
  type SchemaObject,
  sqlText,
  tooOld,
} from '../db/index.js'
import { hasPassed } from '../deadline.js'
import { counted } from '../counted.js'
import type { Check, CheckBounds, FindingRow, KnownSchema } from './check.js'
import { CHECKS, FIRST } from './checks.js'
import { randomInt } from 'node:crypto'

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
  /** The same database for another role, which makes the checks that the first one may not make. */
  other?: Database | undefined
  /** On the embedded database calls run between the checks. */
  bounds?: CheckBounds | undefined
  progress?: (step: string) => void
}

const OLDEST_NODE = [20, 19] as const

/** "All is well" only where every check was made that concerns the kind of database. */
export function verdict({ findings, checked, unchecked }: Report): string {
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length
  const left = unchecked.filter(({ why }) => why !== NOT_EMBEDDED).length
  const well = left > 0 ? 'The checks that were made found nothing wrong' : 'All is well'
  const summary = wrong === 0 ? well : `${counted(wrong, 'thing is', 'things are')} wrong`
  const missing = left > 0 ? `, ${left} not made` : ''
  return `${summary}: ${counted(checked.length, 'check')}${missing}, ${counted(findings.length - wrong, 'piece')} of advice.`
}

const NOT_EMBEDDED = 'It concerns a PostgreSQL server, and this is the embedded database.'
const FIX_FIRST = `The findings of "${FIRST.name}" have to be fixed first.`
const NO_TIME_LEFT = 'The time of this run was over.'
const ENDED_EARLY = 'The connection to the database ended before it.'
const HOLDS_CALLS_UP = 'It reads every frame of a large index, and no call is answered meanwhile.'

export async function examine(db: Database, examination: Examination): Promise<Report> {
  const { checks = CHECKS, bounds, progress = () => {} } = examination
  const findings: Finding[] = nodeFindings(process.versions.node)
  const report: Report = { ok: true, findings, checked: ['node'], sampled: [], unchecked: [] }
  const unfit = await rowsOf(db, FIRST, [], bounds)
  const foundation = unfit.length === 0 ? await tooOldRows(db) : unfit
  const known = foundation.length === 0 ? await readKnown(db, sampleSize(examination)) : undefined
  let isInterrupted = false
  for (const check of checks) {
    const omission = isInterrupted ? ENDED_EARLY : whyOmitted(check, examination, known)
    let rows: FindingRow[]
    if (check === FIRST) rows = foundation
    else if (!known) rows = unchecked(FIX_FIRST)
    else if (omission !== undefined) rows = unchecked(omission)
    else {
      progress(check.looksAt)
      const from = performance.now()
      rows = await look(db, check, known, examination)
      isInterrupted = rows.includes(INTERRUPTED)
      if (isBetweenCalls(examination)) await sleep(performance.now() - from)
    }
    addToReport(report, check, rows, known)
  }
  report.ok = findings.every(({ severity }) => severity !== 'wrong')
  return report
}

/** A role that may not read the migrations gets no row: check "migrations" says that it may not look. */
async function tooOldRows(db: Database): Promise<FindingRow[]> {
  const [session] = await db.rows<CheckSession>(sqlText('inspect/owner'), [])
  if (session?.readsMigrations !== true) return []
  const done = await db.rows<{ name: string }>(sqlText('migrate/migrations_done'), [])
  const why = tooOld(done.map(({ name }) => name))
  return why === undefined ? [] : [{ severity: 'wrong', what: why[0], fix: `-- ${why[1]}` }]
}

/** The embedded database answers one statement at a time: after a check, calls have it for as long as the check had. */
const isBetweenCalls = ({ isEmbedded, bounds }: Examination): boolean => isEmbedded && bounds !== undefined

const sampleSize = (examination: Examination): SampleSize =>
  examination.isThorough ? 'thorough' : isBetweenCalls(examination) ? 'betweenCalls' : 'usual'

function whyOmitted(check: Check, examination: Examination, known: KnownSchema | undefined): string | undefined {
  const { only, readsAll } = check
  const { isEmbedded, bounds } = examination
  if (only === 'server' && isEmbedded) return NOT_EMBEDDED
  if (isBetweenCalls(examination) && known?.isLarge && readsAll) return HOLDS_CALLS_UP
  return bounds && hasPassed(bounds.until) ? NO_TIME_LEFT : undefined
}

function addToReport(report: Report, check: Check, rows: FindingRow[], known: KnownSchema | undefined): void {
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
function runBy({ name }: Check, fix: string, known: KnownSchema | undefined): string {
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

const LOADING = 'A build or an import is under way.'
const NOT_ALLOWED = '42501'
const TOO_LONG = '57014'
const FAILED = 'The check failed: '
const BROKEN = '-- Fix what the checks before this one found, and run the doctor again.'

const SCHEMA_CHECK = 'schema'

const unchecked = (why: string): FindingRow[] => [{ severity: 'unchecked', what: why, fix: '' }]

type Looking = Pick<Examination, 'bounds' | 'other'>

async function look(db: Database, check: Check, known: KnownSchema, { bounds, other }: Looking): Promise<FindingRow[]> {
  const lacking = neededIndexes(check).filter((index) => !known.indexes.includes(index))
  if (lacking.length > 0) return unchecked(`It needs ${lacking.join(', ')}, which cannot be used.`)
  const args = [...(check.samples ? [known.percent[check.samples]] : []), ...(check.args?.(known) ?? [])]
  const run = check.name === SCHEMA_CHECK ? known.differing : () => rowsOf(db, check, args, bounds)
  try {
    return check.only === 'quiet' ? await db.alone(LOADING, run) : await run()
  } catch (error) {
    const isNotAllowed = (error as { code?: string }).code === NOT_ALLOWED
    const rows = isNotAllowed && other ? await look(other, check, known, { bounds }) : undefined
    const isMade = rows?.every(({ severity }) => severity !== 'unchecked')
    return isMade && rows ? rows : await rowsOfError(error, check, known, bounds)
  }
}

/** Stands for the check that it interrupted, in a run with bounds. No other check is made after it. */
const INTERRUPTED: FindingRow = {
  severity: 'wrong',
  what: 'The connection to the database ended during this check, and the run with it.',
  fix: '-- Run the checks again. If they end again, the log of the service has the reason.',
}

/** PostgreSQL answers this where it takes no more connections, ends, refuses the role or lacks the database. */
const NO_SESSION = /^(08|28|3D|53|57P)/
/** A statement names what is not there, or is of another type. */
const NOT_FITTING = /^42/

/**
 * A check is left out where this role may not make it or a finding of check "schema" is in its way; any other error of
 * PostgreSQL is a finding.
 */
async function rowsOfError(
  error: unknown,
  { name }: Check,
  known: KnownSchema,
  bounds: CheckBounds | undefined,
): Promise<FindingRow[]> {
  const { code, message } = error as { code?: string; message: string }
  if (message === LOADING) return unchecked(message)
  if (isLost(error) || code === undefined || !/^[0-9A-Z]{5}$/.test(code) || NO_SESSION.test(code)) {
    if (!bounds) throw error
    bounds.onFault(name, error as Error)
    return [INTERRUPTED]
  }
  if (code === TOO_LONG && bounds) return unchecked(`It took longer than ${bounds.checkMs / 1000} seconds.`)
  if (code === NOT_ALLOWED) return unchecked(`This role may not look: ${message}.`)
  if (NOT_FITTING.test(code) && (await known.differing()).length > 0)
    return unchecked(`What check "${SCHEMA_CHECK}" found is in its way: ${message}.`)
  return [{ severity: 'wrong', what: `${FAILED}${message}.`, fix: BROKEN }]
}

const checkText = ({ name, text }: Check) => text ?? sqlText(`doctor/${name}`)

/** A check takes hours instead of moments without an index that its header names. */
const neededIndexes = (check: Check) => /^-- index: (.*)$/m.exec(checkText(check))?.[1]?.split(', ') ?? []

type CheckRow = FindingRow & Parameters<NonNullable<Check['toRow']>>[0]

/** The role of the service has 15 seconds for a statement. Without bounds a check takes as long as it needs. */
export const rowsOf = (db: Database, check: Check, args: unknown[], bounds?: CheckBounds): Promise<FindingRow[]> =>
  db.transaction(async (run) => {
    await run(sqlText('session/read_only'), [])
    // Whatever the role of the session is told, names mean the tables of schema public.
    if (!check.readsPath) await run(sqlText('session/public_alone'), [])
    await run(sqlText('session/statement_limit'), [bounds?.checkMs ?? 0])
    const rows = await run<CheckRow>(checkText(check), args)
    return check.toRow ? rows.map(check.toRow) : rows
  })

const MB = 1024 * 1024

/**
 * How many bytes of a table a check reads that compares shapes, and one that adds up each value of a frame once for each
 * of its units. 12 MB hold 40,000 frames.
 */
const SAMPLES = {
  thorough: { shapes: Infinity, totals: Infinity, largestUnit: 0 },
  usual: { shapes: 12 * MB, totals: MB, largestUnit: 40_000 },
  /** The embedded database answers no call during a check: each takes some 150 ms. */
  betweenCalls: { shapes: MB, totals: MB / 8, largestUnit: 0 },
}

type CheckSession = { owner: string; isOwner: boolean; readsMigrations: boolean; roles: string[] }

type SampleSize = keyof typeof SAMPLES

async function readKnown(db: Database, reading: SampleSize): Promise<KnownSchema> {
  const indexes = await rowsInPublic<{ name: string }>(db, sqlText('inspect/indexes_valid'))
  const [size] = await db.rows<{ frame: number; feature: number }>(sqlText('inspect/sizes'), [])
  const [session] = await db.rows<CheckSession>(sqlText('inspect/owner'), [])
  const { owner = '', isOwner = true, roles = [] } = session ?? {}
  const { shapes, totals, largestUnit } = SAMPLES[reading]
  const percent = (bytes = 0, most = shapes) => (bytes <= most ? 100 : (100 * most) / bytes)
  let differing: Promise<FindingRow[]> | undefined
  return {
    migrations: migrationNames(),
    differing: () => (differing ??= differingIn(db, owner, roles)),
    connections: PRIMARY_CONNECTIONS,
    owner,
    isOwner,
    indexes: indexes.map(({ name }) => name),
    percent: {
      frame: percent(size?.frame),
      feature: percent(size?.feature),
      total: percent(size?.frame, totals),
    },
    seed: randomInt(1_000_000),
    largestUnit,
    isLarge: (size?.frame ?? 0) > SAMPLES.usual.shapes,
  }
}

/** Compares the objects of the database with those that the migrations make, in both directions. */
async function differingIn(db: Database, owner: string, roles: string[]): Promise<FindingRow[]> {
  const files = functionFiles()
  const withFile = (object: SchemaObject) => {
    const place = files.findIndex(({ name }) => object.kind === 'function' && name === object.relation)
    const text = files[place]?.text.replace(/^(--.*\n)*/, '')
    return { ...object, place, statement: text ?? object.statement }
  }
  const present = await rowsInPublic<PresentObject>(db, OBJECTS)
  const expected = expectedObjects().map(withFile)
  return await db.rows(sqlText('schema/differing'), [JSON.stringify(expected), JSON.stringify(present), owner, roles])
}

/** PostgreSQL writes the schema before the name of each object that is not on the search path. */
const rowsInPublic = <R extends object>(db: Database, text: string): Promise<R[]> =>
  db.transaction(async (run) => {
    await run(sqlText('session/public_alone'), [])
    return await run<R>(text, [])
  })
