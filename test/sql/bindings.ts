/** Makes the statements.ts of each room: a line for each file of sql/, with the types of its parameters and rows. */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import postgres from 'postgres'
import { headerOf } from '../../src/api/inspect/header.js'
import { projectFolder, sqlText } from '../../src/core/db/statement.js'

/** The folders whose files calls and pages run, and where each is bound. */
export const ROOMS = {
  '': 'src/core/db/statements.ts',
  web: 'src/app/shell/statements.ts',
  map: 'src/app/map/statements.ts',
  tiles: 'src/app/tiles/statements.ts',
  catalogue: 'src/app/catalogue/statements.ts',
  ogc: 'src/api/ogc/statements.ts',
} as const

/** The statements of a folder, such as "web/use_by_day". */
const namesIn = (folder: string): string[] =>
  readdirSync(new URL(`sql/${folder}`, projectFolder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => `${folder && `${folder}/`}${basename(file, '.sql')}`)
    .sort()

const HEAD =
  '/** The reads of this room, with the types of their parameters and rows. `npm run schema` writes this file. */'

/** The text of each file, by its path. PostgreSQL says the types, and the headers say what it does not know. */
export async function bindingsOf(url: string): Promise<Record<string, string>> {
  const sql = postgres(url, { max: 1 })
  try {
    const known = await sql<{ oid: number; name: string }[]>`select oid::int as oid, typname as name from pg_type`
    const nameOf = new Map(known.map(({ oid, name }) => [oid, name]))
    const bound = async (name: string) => {
      const { types, columns } = await sql.unsafe(sqlText(name)).describe()
      return binding(
        name,
        types.map((oid) => nameOf.get(oid) ?? ''),
        columns.map((column) => ({ name: column.name, type: nameOf.get(column.type) ?? '' })),
      )
    }
    const texts: Record<string, string> = {}
    for (const [folder, path] of Object.entries(ROOMS)) {
      const lines: string[] = []
      for (const name of namesIn(folder)) lines.push(await bound(name))
      const from = path.startsWith('src/core/db/') ? './statement.js' : '../../core/db/index.js'
      texts[path] = [HEAD, `import { statement } from '${from}'`, '', ...lines, ''].join('\n')
    }
    return texts
  } finally {
    await sql.end()
  }
}

type Column = { name: string; type: string }

function binding(name: string, given: readonly string[], columns: readonly Column[]): string {
  const text = sqlText(name)
  const { parameters } = headerOf(text)
  const { nulls, together, kinds, headed } = rowLinesOf(text)
  const said = [...headed, ...nulls.map((key) => key.replace('[]', '')), ...together, ...kinds.keys()]
  const named = [...columns.map((column) => column.name), ...given.map((_type, at) => `$${at + 1}`)]
  const unknown = said.filter((key) => !named.includes(key))
  if (unknown.length > 0) throw new Error(`sql/${name}.sql has no column or parameter ${unknown.join(', ')}.`)
  const orNull = (key: string, type: string) => (nulls.includes(key) ? `${type} | null` : type)
  const args = given.map((type, at) => {
    const key = `$${at + 1}`
    const one = kinds.get(key) ?? typeOf(type, SENT)
    const each = nulls.includes(`${key}[]`) ? one.replace(/(.*)\[\]$/, '($1 | null)[]') : one
    return `${camel(parameters[at]?.name ?? '')}: ${orNull(key, each)}`
  })
  const members = (some: readonly Column[], typed: (column: Column) => string) =>
    `{ ${some.map((column) => `${column.name}: ${typed(column)}`).join('; ')} }`
  const typed = ({ name: column, type }: Column) => orNull(column, kinds.get(column) ?? typeOf(type, READ))
  const joined = columns.filter((column) => together.includes(column.name))
  const alone = members(
    columns.filter((column) => !joined.includes(column)),
    typed,
  )
  const row = joined.length === 0 ? alone : `${alone} & (${members(joined, typed)} | ${members(joined, () => 'null')})`
  return `export const ${camel(basename(name))} = statement<[${args.join(', ')}], ${row}>('${name}')`
}

const camel = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/**
 * Reads the lines of a header that describe its rows: `columns` and `csv` name the columns of a table and of a file;
 * `null` the columns and parameters ($1) that may be null; `null together` columns that are null only together; `kind`
 * the words that a text may be; `json` the TypeScript type of JSON.
 */
export function rowLinesOf(text: string) {
  const lines = (label: string) =>
    Array.from(text.matchAll(new RegExp(`^-- ${label}: (.*)$`, 'gm')), ([, said = '']) => said)
  const entries = (label: string) => lines(label).flatMap((said) => said.split(', '))
  const words = entries('kind').map((said) => {
    const [key = '', kind = ''] = said.split(' ')
    return [
      key,
      kind
        .split('|')
        .map((word) => `'${word}'`)
        .join(' | '),
    ] as const
  })
  const headed = [
    ...entries('columns').map((said) => /^(\w+) "[^"]+"( (number|wide|short|minor))*$/.exec(said)?.[1] ?? said),
    ...entries('csv').map((said) => said.split(' ').at(-1) ?? ''),
  ]
  const json = lines('json').map((said) => [said.split(' ', 1)[0] ?? '', said.slice(said.indexOf(' ') + 1)] as const)
  return { nulls: entries('null'), together: entries('null together'), headed, kinds: new Map([...words, ...json]) }
}

const NUMBERS = { int2: 'number', int4: 'number', float8: 'number' }
/** A day, and JSON, is sent as a text; the driver reads an exact number as a text. */
const SENT: Readonly<Record<string, string>> = {
  ...NUMBERS,
  bool: 'boolean',
  bytea: 'Buffer',
  int8: 'string | number',
  numeric: 'string | number',
}
export const READ: Readonly<Record<string, string>> = {
  ...NUMBERS,
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Date',
  json: 'unknown',
  jsonb: 'unknown',
}

/** PostgreSQL calls an array of text _text. */
export function typeOf(type: string, types: Readonly<Record<string, string>>): string {
  if (type.startsWith('_')) return `${typeOf(type.slice(1), { ...types, int8: 'string', numeric: 'string' })}[]`
  return types[type] ?? 'string'
}
