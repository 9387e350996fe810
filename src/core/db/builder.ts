/** Kysely builds the few statements that write, with types; `Database.run` and `Database.change` run their text. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Compilable,
} from 'kysely'
import type { Tables } from './tables.js'

export const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Runs a statement that Kysely built, and returns the rows that it returns. */
export type RunQuery = <Row>(query: Compilable<Row>) => Promise<Row[]>

/** `send` runs a text with its parameters. */
export const queryRunner =
  (send: (text: string, args: readonly unknown[]) => Promise<unknown[]>): RunQuery =>
  async <Row>(query: Compilable<Row>) => {
    const { sql, parameters } = query.compile()
    return (await send(sql, parameters)) as Row[]
  }

export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement that returns one row returned none.')
  return row
}
