/** Binds a file of sql/ to the types of its parameters and rows. */
import { readFileSync } from 'node:fs'
import type { Database } from './connect.js'

export type Statement<Args extends readonly unknown[], Row> = {
  readonly name: string
  /** The file. */
  readonly text: string
  /** What the database is sent: the file, or something around it. */
  readonly sent: string
  (db: Pick<Database, 'rows'>, ...args: Args): Promise<Row[]>
}

/** The project's folder, seen from dist/src/db. */
export const projectFolder = new URL('../../../', import.meta.url)

export const sqlText = (name: string) => readFileSync(new URL(`sql/${name}.sql`, projectFolder), 'utf8').trimEnd()

export const statement = <Args extends readonly unknown[], Row>(name: string): Statement<Args, Row> =>
  bound(name, (text) => text)

/** Files are read once, at start: a typing mistake in a name shows then, not at the first request. */
export function bound<Args extends readonly unknown[], Row>(
  name: string,
  sentAs: (text: string) => string,
): Statement<Args, Row> {
  const text = sqlText(name)
  const sent = sentAs(text)
  const run = (db: Pick<Database, 'rows'>, ...args: Args) => db.rows<Row>(sent, args)
  Object.defineProperty(run, 'name', { value: name })
  return Object.assign(run, { text, sent }) as Statement<Args, Row>
}
