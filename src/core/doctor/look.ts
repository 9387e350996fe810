/** Runs one check, which only reads. */
import { isLost, type Database } from '../db/connect.js'
import { SHARED_SESSIONS } from '../db/pooler.js'
import { sqlText } from '../db/statement.js'
import type { Bounds, Check, Known, Row } from './check.js'

const LOADING = 'A build or an import is under way.'
const NOT_ALLOWED = '42501'
/** A statement took longer than it may. */
const TOO_LONG = '57014'
export const FAILED = 'The check failed: '
const BROKEN = '-- Fix what the checks before this one found, and run the doctor again.'

const SCHEMA = 'schema'

export const unchecked = (why: string): Row[] => [{ severity: 'unchecked', what: why, fix: '' }]

export async function look(db: Database, check: Check, known: Known, bounds?: Bounds): Promise<Row[]> {
  const lacking = neededIndexes(check).filter((index) => !known.indexes.includes(index))
  if (lacking.length > 0) return unchecked(`It needs ${lacking.join(', ')}, which cannot be used.`)
  const args = check.args?.(known) ?? []
  const run = check.name === SCHEMA ? known.differing : () => rowsOf(db, check, args, bounds)
  try {
    return check.only === 'quiet' ? await db.alone(LOADING, run) : await run()
  } catch (error) {
    return await rowsOfError(error, check, known, bounds)
  }
}

/** Stands for the check that it interrupted, in a run with bounds. No other check is made after it. */
export const INTERRUPTED: Row = {
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
async function rowsOfError(error: unknown, { name }: Check, known: Known, bounds: Bounds | undefined): Promise<Row[]> {
  const { code, message } = error as { code?: string; message: string }
  if (message === LOADING || message === SHARED_SESSIONS) return unchecked(message)
  if (isLost(error) || code === undefined || !/^[0-9A-Z]{5}$/.test(code) || NO_SESSION.test(code)) {
    if (!bounds) throw error
    bounds.onFault(name, error as Error)
    return [INTERRUPTED]
  }
  if (code === TOO_LONG && bounds) return unchecked(`It took longer than ${bounds.checkMs / 1000} seconds.`)
  if (code === NOT_ALLOWED) return unchecked(`This role may not look: ${message}.`)
  if (NOT_FITTING.test(code) && (await known.differing()).length > 0)
    return unchecked(`What check "${SCHEMA}" found is in its way: ${message}.`)
  return [{ severity: 'wrong', what: `${FAILED}${message}.`, fix: BROKEN }]
}

const textOf = ({ name, text }: Check) => text ?? sqlText(`doctor/${name}`)

/** A check takes hours instead of moments without an index that its header names. */
const neededIndexes = (check: Check) => /^-- index: (.*)$/m.exec(textOf(check))?.[1]?.split(', ') ?? []

type Answer = Row & Parameters<NonNullable<Check['toRow']>>[0]

/** The role of the service has 15 seconds for a statement. Without bounds a check takes as long as it needs. */
export const rowsOf = (db: Database, check: Check, args: unknown[], bounds?: Bounds): Promise<Row[]> =>
  db.transaction(async (run) => {
    await run(sqlText('session/read_only'), [])
    // Whatever the role of the session is told, names mean the tables of schema public.
    if (!check.readsPath) await run(sqlText('session/public_alone'), [])
    await run(sqlText('session/statement_timeout'), [bounds ? `${bounds.checkMs}ms` : '0'])
    const rows = await run<Answer>(textOf(check), args)
    return check.toRow ? rows.map(check.toRow) : rows
  })
