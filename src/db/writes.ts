/** Writes go through Kysely: few, short, typed. It prepares nothing, so reads do not use it. */
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import type { Sql } from 'postgres'
import type { Tables } from './tables.js'

export type Writes = Kysely<Tables>

export const writesOn = (postgres: Sql): Writes => new Kysely<Tables>({ dialect: new PostgresJSDialect({ postgres }) })
