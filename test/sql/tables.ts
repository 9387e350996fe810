/** Makes src/core/db/tables.ts: the tables that Kysely's statements name, as PostgreSQL describes them. */
import postgres from 'postgres'
import { READ, typeOf } from './bindings.js'

const NAMED =
  'account api_key credit_entry dataset key_event key_seen key_use licence membership organisation passkey person session sign_in_attempt sign_in_link unknown_word'.split(
    ' ',
  )

/** `words` are those that a check of the column allows. */
const COLUMNS = `
  select relname as table, attname as name, typname as type, not attnotnull as "isNullable",
    atthasdef or attidentity <> '' as "isGenerated", array(
      select matched[1]
      from pg_constraint
      cross join lateral regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') as matched
      where conrelid = attrelid and conkey = array[attnum] and pg_get_constraintdef(oid) ~ ' = ANY \\(ARRAY\\['
    ) as words
  from pg_attribute
  join pg_class on pg_class.oid = attrelid
  join pg_type on pg_type.oid = atttypid
  where relnamespace = 'public'::regnamespace and relname = any($1::text[]) and attnum > 0 and not attisdropped
  order by relname, attnum`

type Column = { table: string; name: string; type: string; isNullable: boolean; isGenerated: boolean; words: string[] }

export async function tablesOf(url: string): Promise<string> {
  const sql = postgres(url, { max: 1 })
  try {
    const columns = await sql.unsafe<Column[]>(COLUMNS, [NAMED])
    const typed = ({ name, type, isNullable, isGenerated, words }: Column) => {
      const one =
        words.length > 0 ? words.map((word) => `'${word}'`).join(' | ') : typeOf(type, { ...READ, date: 'Date' })
      const orNull = isNullable && one !== 'unknown' ? `${one} | null` : one
      return `${name}: ${isGenerated ? `Generated<${orNull}>` : orNull}`
    }
    const lines = NAMED.map((table) => {
      const own = columns.filter((column) => column.table === table)
      return `  ${table}: { ${own.map(typed).join('; ')} }`
    })
    return [HEAD, `import type { Generated } from 'kysely'`, '', 'export type Tables = {', ...lines, '}', ''].join('\n')
  } finally {
    await sql.end()
  }
}

const HEAD =
  '/** The tables that calls and commands write to, as Kysely sees them. `npm run schema` writes this file. */'
