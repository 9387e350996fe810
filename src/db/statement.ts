/** Binds a file of sql/ to the types of its parameters and rows. */
import { readFileSync } from 'node:fs'
import type { Database } from './connect.js'

export type Statement<Args extends readonly unknown[], Row> = {
  readonly name: string
  readonly text: string
  (db: Pick<Database, 'rows'>, ...args: Args): Promise<Row[]>
}

/** The project's folder, seen from dist/src/db. */
export const projectFolder = new URL('../../../', import.meta.url)

export const sqlText = (name: string) => readFileSync(new URL(`sql/${name}.sql`, projectFolder), 'utf8').trimEnd()

/** Files are read once, at start: a typing mistake in a name shows then, not at the first request. */
export function statement<Args extends readonly unknown[], Row>(name: string): Statement<Args, Row> {
  const text = sqlText(name)
  const run = (db: Pick<Database, 'rows'>, ...args: Args) => db.rows<Row>(text, args)
  Object.defineProperty(run, 'name', { value: name })
  return Object.assign(run, { text }) as Statement<Args, Row>
}
