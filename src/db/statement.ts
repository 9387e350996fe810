/** Binds a file of sql/ to the types of its parameters and rows. */
import { readFileSync } from 'node:fs'
import type { Database } from './connect.js'

export type Statement<Args extends readonly unknown[], Row> = {
  readonly name: string
  /** The file. */
  readonly text: string
  /** What the database is sent: the file, or the file with its rows joined. */
  readonly sent: string
  (db: Pick<Database, 'rows'>, ...args: Args): Promise<Row[]>
}

/** What the rows of a page come as: one row. */
export type Page = {
  /** GeoJSON features, parted by commas. */
  features: string
  found: number
}

/** What each feature of a page begins with; then comes its id. No geometry has this in it. */
export const FEATURE = '{"type":"Feature","id":"'

/** The project's folder, seen from dist/src/db. */
export const projectFolder = new URL('../../../', import.meta.url)

export const sqlText = (name: string) => readFileSync(new URL(`sql/${name}.sql`, projectFolder), 'utf8').trimEnd()

export const statement = <Args extends readonly unknown[], Row>(name: string): Statement<Args, Row> =>
  bound(name, (text) => text)

/** Of a file whose rows are frames in order. */
export const pageStatement = <Args extends readonly unknown[]>(name: string): Statement<Args, Page> =>
  bound(name, joined)

/** Files are read once, at start: a typing mistake in a name shows then, not at the first request. */
function bound<Args extends readonly unknown[], Row>(
  name: string,
  sentAs: (text: string) => string,
): Statement<Args, Row> {
  const text = sqlText(name)
  const sent = sentAs(text)
  const run = (db: Pick<Database, 'rows'>, ...args: Args) => db.rows<Row>(sent, args)
  Object.defineProperty(run, 'name', { value: name })
  return Object.assign(run, { text, sent }) as Statement<Args, Row>
}

/** Five thousand rows: PostgreSQL joins them in a millisecond, taking them in one by one costs this process six. */
function joined(text: string): string {
  const [header = ''] = /^(--.*\n)+/.exec(text) ?? []
  return `${header}select
  coalesce(string_agg('${FEATURE}' || id || '","geometry":' || geometry || ',"properties":{}}', ','), '') as features,
  count(*)::int as found
from (
${text.slice(header.length)}
) as in_order`
}
