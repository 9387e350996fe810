/** Writes go through Kysely: few, short, typed. It prepares nothing of its own, so reads do not use it. */
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import type { ParameterOrJSON, Sql, TransactionSql } from 'postgres'
import type { Tables } from './tables.js'

export type Writes = Kysely<Tables>

export const writesOn = (postgres: Sql): Writes => new Kysely<Tables>({ dialect: new PostgresJSDialect({ postgres }) })

/**
 * Inside a transaction that postgres.js began: it hears of a connection that is lost between two statements, where Kysely's own
 * would wait for ever to roll back. Kysely's text has no header as the files of sql/ have: `place` is put before it.
 */
export const writesInside = (transaction: TransactionSql, place: string): Writes =>
  writesThrough((text, args) =>
    transaction.unsafe(`-- ${place}\n${text}`, args as ParameterOrJSON<never>[], { prepare: true }),
  )

/** Whatever runs the statements. */
export function writesThrough(run: (text: string, args: readonly unknown[]) => Promise<readonly unknown[]>): Writes {
  const connection = { unsafe: run, release: () => {} }
  return writesOn(Object.assign(() => {}, { reserve: async () => connection }) as unknown as Sql)
}
