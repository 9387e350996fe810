/** Binds a file of sql/ to the types of its parameters and rows. The text of the file is what PostgreSQL receives. */
import { readFileSync } from 'node:fs'
import type { Database } from './database.js'

export type Statement<Args extends readonly unknown[], Row> = {
  readonly name: string
  readonly text: string
  (db: Pick<Database, 'rows'>, ...args: Args): Promise<Row[]>
}
export type RowOf<Read> = Read extends Statement<never, infer Row> ? Row : never

/** The project's folder, seen from dist/src/core/db. */
export const projectFolder = new URL('../../../../', import.meta.url)

export const sqlText = (name: string) => readFileSync(new URL(`sql/${name}.sql`, projectFolder), 'utf8').trimEnd()

/** Reads the file at once: a wrong name stops the start of the program, not the first request. */
export function statement<Args extends readonly unknown[], Row>(name: string): Statement<Args, Row> {
  const text = sqlText(name)
  const run = (db: Pick<Database, 'rows'>, ...args: Args) => db.rows<Row>(text, args)
  Object.defineProperty(run, 'name', { value: name })
  return Object.assign(run, { text })
}
