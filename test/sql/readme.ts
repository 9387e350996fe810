/** The tables of sql/README.md, written from the headers of the files and from the rights of frames_analyst. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import pg from 'pg'
import { headerOf } from '../../src/api/inspect/header.js'
import { projectFolder, sqlText } from '../../src/core/db/statement.js'

/** Folders of statements that calls and pages run. */
const READS = ['', 'catalogue/', 'map/', 'tiles/', 'web/']

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`sql/${folder}`, projectFolder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => folder + basename(file, '.sql'))
    .sort()

/** Returns the page as it should be. */
export async function sqlReadme(analystUrl: string): Promise<string> {
  const text = readFileSync(new URL('sql/README.md', projectFolder), 'utf8')
  const client = new pg.Client({ connectionString: analystUrl })
  await client.connect()
  try {
    const reads = await readsOf(client)
    const functions = await functionsOf(client)
    const isOfSchema = (name: string) => name.startsWith('analyst.')
    const named = (names: string[]) => names.map((name) => `\`${name}\``).join(', ')
    const answers = filesIn('').map((name) => `| \`${name}.sql\` | ${sentenceOf(name)} |\n`)
    const runs = [
      `| reads of calls and pages | ${named(reads.map((name) => `${name}.sql`))} |\n`,
      `| functions of schema \`analyst\` | ${named(functions.filter(isOfSchema))} |\n`,
      `| functions that these and the program call | ${named(functions.filter((name) => !isOfSchema(name)))} |\n`,
    ]
    return withRows(withRows(text, '| file | answers |\n|---|---|\n', answers), '| | |\n|---|---|\n', runs)
  } finally {
    await client.end()
  }
}

/** Puts the rows below the head of a table, in place of those that are there. */
function withRows(text: string, head: string, rows: readonly string[]): string {
  const [before = '', rest = ''] = text.split(head)
  return before + head + rows.join('') + rest.replace(/^(\|.*\n)*/, '')
}

/** The first line of a header, "-- name: sentence.", without its point. */
const sentenceOf = (name: string): string => /^-- \w+: (.*)\.$/m.exec(sqlText(name))?.[1]?.replaceAll('|', '\\|') ?? ''

/** The statements that the role may run. */
async function readsOf(client: pg.Client): Promise<string[]> {
  const runs: string[] = []
  for (const name of READS.flatMap(filesIn)) {
    const { parameters, example = '' } = headerOf(sqlText(name))
    const args = parameters.length > 0 ? ` (${example})` : ''
    const asked = client.query(`prepare example as ${sqlText(name)}; explain execute example${args}`)
    if (await asked.then(Boolean, () => false)) runs.push(name)
    await client.query('deallocate all')
  }
  return runs
}

async function functionsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select case nspname when 'analyst' then 'analyst.' else '' end || proname as name
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname in ('public', 'analyst') and has_function_privilege(pg_proc.oid, 'execute')
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by proname collate "C"`,
  )
  return rows.map(({ name }) => name)
}
