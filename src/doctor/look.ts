/** Runs one check. It keeps nothing: a check is read-only, or is rolled back. */
import { isLost, type Database } from '../db/connect.js'
import { SHARED_SESSIONS } from '../db/pooler.js'
import { rolledBack } from '../db/rolled-back.js'
import { sqlText } from '../db/statement.js'
import type { Bounds, Check, Known, Row } from './check.js'
import { differingObjects } from './objects.js'

const LOADING = 'A build or an import is under way.'
/** A replica answers this to a statement that writes, even into a temporary schema. */
const READ_ONLY = '25006'
const NOT_ALLOWED = '42501'
/** A statement took longer than it may. */
const TOO_LONG = '57014'
const BROKEN = '-- Fix what the checks before this one found, and run the doctor again.'

export const unchecked = (why: string): Row[] => [{ severity: 'unchecked', what: why, fix: '' }]

export async function look(db: Database, check: Check, known: Known, bounds?: Bounds): Promise<Row[]> {
  if (check.compares) return differingObjects(check.compares, known)
  const lacking = neededIndexes(check).filter((index) => !known.indexes.includes(index))
  if (lacking.length > 0) return unchecked(`It needs ${lacking.join(', ')}, which cannot be used.`)
  const args = check.args?.(known) ?? []
  const copies = check.copies?.(known)
  const run = () => (copies ? rowsBesideCopies(db, check, args, copies) : rowsOf(db, check, args, bounds))
  try {
    return check.only === 'quiet' ? await db.alone(LOADING, run) : await run()
  } catch (error) {
    return rowsOfError(error, check, bounds)
  }
}

/** Stands for the check that it interrupted, in a run with bounds. No other check is made after it. */
export const INTERRUPTED: Row = {
  severity: 'wrong',
  what: 'The connection to the database ended during this check, and the run with it.',
  fix: '-- Run the checks again. If they end again, the log of the service has the reason.',
}

/** A check that this role or server does not allow is left out; any other error of PostgreSQL is a finding. */
function rowsOfError(error: unknown, { name }: Check, bounds: Bounds | undefined): Row[] {
  const { code, message } = error as { code?: string; message: string }
  if (message === LOADING || message === SHARED_SESSIONS) return unchecked(message)
  if (isLost(error) || code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08')) {
    if (!bounds) throw error
    bounds.onFault(name, error as Error)
    return [INTERRUPTED]
  }
  if (code === READ_ONLY) return unchecked('It makes copies to compare with, and this server takes no writes.')
  if (code === TOO_LONG && bounds) return unchecked(`It took longer than ${bounds.checkMs / 1000} seconds.`)
  if (code === NOT_ALLOWED) return unchecked(`This role may not look: ${message}.`)
  return [{ severity: 'wrong', what: `The check failed: ${message}.`, fix: BROKEN }]
}

const textOf = ({ name, text }: Check) => text ?? sqlText(`doctor/${name}`)

/** A check takes hours instead of moments without an index that its header names. */
const neededIndexes = (check: Check) => /^-- index: (.*)$/m.exec(textOf(check))?.[1]?.split(', ') ?? []

type Answer = Row & Parameters<NonNullable<Check['toRow']>>[0]

/** The role of the service has 15 seconds for a statement. Without bounds a check takes as long as it needs. */
export const rowsOf = (db: Database, check: Check, args: unknown[], bounds?: Bounds): Promise<Row[]> =>
  db.transaction(async (run) => {
    await run(sqlText('session/read_only'), [])
    await run(sqlText('session/statement_timeout'), [bounds ? `${bounds.checkMs}ms` : '0'])
    const rows = await run<Answer>(textOf(check), args)
    return check.toRow ? rows.map(check.toRow) : rows
  })

/** The copies go with the transaction. */
async function rowsBesideCopies(db: Database, check: Check, args: unknown[], copies: string[]): Promise<Row[]> {
  return await rolledBack(db, async (run) => {
    for (const copy of copies) {
      await run('savepoint copies', [])
      await run(copy, []).catch(async (error: { code?: string }) => {
        if (error.code === READ_ONLY || error.code === NOT_ALLOWED) throw error
        await run('rollback to savepoint copies', [])
      })
    }
    return await run<Row>(textOf(check), args)
  })
}
