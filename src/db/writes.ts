/** Writes go through Kysely: few, short, typed. It prepares nothing of its own, so reads do not use it. */
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import type { ISql, ParameterOrJSON, Sql, TransactionSql } from 'postgres'
import type { Lent } from './driver/pool.js'
import { collected } from './driver/rows.js'
import type { Tables } from './tables.js'

export type Writes = Kysely<Tables>

type Run = (text: string, args: readonly unknown[]) => Promise<readonly unknown[]>
type Reserved = { unsafe: Run; release: () => void }

/** Each statement, or each transaction, on a connection that it has to itself. */
export const writesOn = (lend: () => Promise<Lent>): Writes =>
  writesBy(async () => {
    const { sql, assertKept, release } = await lend()
    const unsafe: Run = async (text, args) => {
      assertKept()
      return await collected(sent(sql, text, args))
    }
    return { unsafe, release }
  })

/**
 * Inside a transaction that postgres.js began: it hears of a connection that is lost between two statements, where Kysely's own
 * would wait for ever to roll back. Kysely's text has no header as the files of sql/ have: `place` is put before it. `inTime`
 * refuses a step that comes too late.
 */
export const writesInside = (
  transaction: TransactionSql,
  place: string,
  inTime: <Answer>(step: () => Promise<Answer>) => Promise<Answer>,
): Writes =>
  writesThrough((text, args) =>
    inTime(() => collected(sent(transaction, `-- ${place}\n${text}`, args, { prepare: true }))),
  )

/** Whatever runs the statements. */
export const writesThrough = (run: Run): Writes => writesBy(async () => ({ unsafe: run, release: () => {} }))

const sent = (on: ISql, text: string, args: readonly unknown[], options: { prepare?: boolean } = {}) =>
  on.unsafe(text, args as ParameterOrJSON<never>[], options)

const writesBy = (reserve: () => Promise<Reserved>): Writes =>
  new Kysely<Tables>({
    dialect: new PostgresJSDialect({ postgres: Object.assign(() => {}, { reserve }) as unknown as Sql }),
  })
