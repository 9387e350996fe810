/** Looks at a database with every check and says what it found. Nothing is kept: a check is read-only, or rolled back. */
import { CONNECTIONS, type Database } from '../db/connect.js'
import { migrationNames, migrationTexts } from '../db/migrate.js'
import { sqlText } from '../db/statement.js'
import { CHECKS, FIRST, type Check, type Known, type Row } from './checks.js'
import { expectedFunctions, expectedOf } from './expected.js'

/** "wrong" is an answer, a plan or an account that is not right, or soon will not be; "advice" is what would be better otherwise. */
export type Finding = { check: string; severity: 'wrong' | 'advice'; what: string; mend: string }

export type Report = {
  ok: boolean
  findings: Finding[]
  /** The checks that were made. */
  checked: string[]
  /** Those of them that looked at some of the frames or features. */
  sampled: string[]
  unchecked: { check: string; why: string }[]
}

export type Examination = {
  isEmbedded: boolean
  /** Looks at every frame in every check. */
  isThorough?: boolean
  checks?: readonly Check[]
  progress?: (step: string) => void
}

/** So much of a table is read by a check that compares shapes: 40,000 frames. */
const SAMPLE_BYTES = 12 * 1024 * 1024
const OLDEST_NODE = [20, 19] as const

const LOADING = 'A build or an import is under way.'
const EMBEDDED = 'It is about a PostgreSQL server; this is the embedded database.'
const MENDED_FIRST = `What "${FIRST.name}" found has to be mended first.`

export async function examine(
  db: Database,
  { isEmbedded, isThorough = false, checks = CHECKS, progress = () => {} }: Examination,
): Promise<Report> {
  const findings: Finding[] = nodeFindings(process.versions.node)
  const report: Report = { ok: true, findings, checked: ['node'], sampled: [], unchecked: [] }
  const foundation = await rowsOf(db, FIRST, [])
  const known = foundation.length === 0 ? await whatIsKnown(db, isThorough) : undefined
  for (const check of checks) {
    const { name, only, samples } = check
    let rows: Row[]
    if (check === FIRST) rows = foundation
    else if (!known) rows = unchecked(MENDED_FIRST)
    else if (only === 'server' && isEmbedded) rows = unchecked(EMBEDDED)
    else {
      progress(check.looksAt)
      rows = await tried(db, check, known)
    }
    const why = rows.find(({ severity }) => severity === 'unchecked')?.what
    if (why !== undefined) report.unchecked.push({ check: name, why })
    else report.checked.push(name)
    if (why === undefined && samples && known && percentOf(check, known) < 100) report.sampled.push(name)
    for (const { severity, what, mend } of rows) {
      if (severity !== 'unchecked')
        findings.push({ check: name, severity, what, mend: `${runBy(check, mend, known)}${mend}` })
    }
  }
  report.ok = findings.every(({ severity }) => severity !== 'wrong')
  return report
}

/** Whoever may not change the tables is told who may. Settings of one's own are one's own; a remark says all itself. */
function runBy({ name }: Check, mend: string, known: Known | undefined): string {
  const isForAnyone = name === 'settings' || name === 'sessions' || /^(--|npm|psql)/.test(mend)
  return known === undefined || known.isOwner || isForAnyone ? '' : `-- ${known.owner} runs this:\n`
}

const unchecked = (what: string): Row[] => [{ severity: 'unchecked', what, mend: '' }]

const percentOf = (check: Check, { percent }: Known) =>
  check.name === 'features_joined' ? percent.feature : percent.frame

/** What may not be looked at is said; a check that breaks on what it meets has found something. */
async function tried(db: Database, check: Check, known: Known): Promise<Row[]> {
  const lacking = standsOn(check).filter((index) => !known.indexes.includes(index))
  if (lacking.length > 0) return unchecked(`It stands on ${lacking.join(', ')}, which cannot be used.`)
  const args = check.args?.(known) ?? []
  const copies = check.copies?.(known)
  const look = () => (copies ? rowsBesideCopies(db, check, args, copies) : rowsOf(db, check, args))
  try {
    return check.only === 'quiet' ? await db.alone(LOADING, look) : await look()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (message === LOADING) return unchecked(LOADING)
    if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08')) throw error
    if (code === READ_ONLY) return unchecked('It makes copies to compare with, which this server does not take.')
    if (code === NOT_ALLOWED) return unchecked(`This role may not look: ${message}.`)
    return [{ severity: 'wrong', what: `This could not be looked at: ${message}.`, mend: BROKEN }]
  }
}

/** What a replica answers to a statement that writes, if only into a temporary schema. */
const READ_ONLY = '25006'
const NOT_ALLOWED = '42501'
const BROKEN = '-- Mend what the checks before this one found, and run the doctor again.'

const textOf = ({ name, text }: Check) => text ?? sqlText(`doctor/${name}`)

/** Without the index that its head names, a check of moments takes hours. */
const standsOn = (check: Check) => /^-- index: (.*)$/m.exec(textOf(check))?.[1]?.split(', ') ?? []

const rowsOf = (db: Database, check: Check, args: unknown[]): Promise<Row[]> =>
  db.transaction(async (run) => {
    await run('set transaction read only', [])
    // The role of the service has 15 seconds for a statement; a large index may need more.
    await run('set local statement_timeout = 0', [])
    const rows = await run<Row & Parameters<NonNullable<Check['says']>>[0]>(textOf(check), args)
    return check.says ? rows.map(check.says) : rows
  })

/** The copies are gone with the transaction. */
async function rowsBesideCopies(db: Database, check: Check, args: unknown[], copies: string[]): Promise<Row[]> {
  const undone = new Error('undone')
  let rows: Row[] = []
  const work = async (run: Database['rows']) => {
    for (const copy of copies) {
      await run('savepoint copies', [])
      await run(copy, []).catch(async (error: { code?: string }) => {
        if (error.code === READ_ONLY || error.code === NOT_ALLOWED) throw error
        await run('rollback to savepoint copies', [])
      })
    }
    rows = await run<Row>(textOf(check), args)
    throw undone
  }
  await db.transaction(work).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return rows
}

async function whatIsKnown(db: Database, isThorough: boolean): Promise<Known> {
  const [size] = await db.rows<{ frame: number; feature: number }>(
    `select pg_relation_size(to_regclass('public.frame'))::float8 as frame,
      pg_relation_size(to_regclass('public.feature'))::float8 as feature`,
    [],
  )
  const indexes = await db.rows<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indisvalid',
    [],
  )
  const [owner] = await db.rows<{ owner: string; isOwner: boolean }>(
    `select relowner::regrole::text as owner, pg_has_role(relowner, 'USAGE') as "isOwner"
    from pg_class where oid = 'public.migration'::regclass`,
    [],
  )
  const percent = (bytes = 0) => (isThorough || bytes <= SAMPLE_BYTES ? 100 : (100 * SAMPLE_BYTES) / bytes)
  return {
    migrations: migrationNames(),
    expected: expectedOf(migrationTexts()),
    functions: expectedFunctions(),
    connections: CONNECTIONS,
    owner: owner?.owner ?? '',
    isOwner: owner?.isOwner ?? true,
    indexes: indexes.map(({ name }) => name),
    percent: { frame: percent(size?.frame), feature: percent(size?.feature) },
  }
}

export function nodeFindings(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return []
  const oldest = OLDEST_NODE.join('.')
  const what = `Node is ${version}, ${oldest} is the oldest that works.`
  return [{ check: 'node', severity: 'wrong', what, mend: `-- Install Node ${oldest} or later.` }]
}
