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
export function writesInside(transaction: TransactionSql, place: string): Writes {
  const connection = {
    unsafe: (text: string, args: ParameterOrJSON<never>[]) =>
      transaction.unsafe(`-- ${place}\n${text}`, args, { prepare: true }),
    release: () => {},
  }
  return writesOn(Object.assign(() => {}, { reserve: async () => connection }) as unknown as Sql)
}
