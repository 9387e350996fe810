/** Brings a database to the newest migration. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { connect, type Target } from './connect.js'
import { functionFiles, type FunctionFile } from './functions.js'
import { refuseSharedSessions } from './pooler.js'
import { projectFolder, sqlText } from './statement.js'

const folder = fileURLToPath(new URL('migrations/', projectFolder))

function styleFiles(): [names: string[], texts: string[]] {
  const styles = new URL('sql/styles/', projectFolder)
  const files = readdirSync(styles).filter((file) => file.endsWith('.qml'))
  return [files.map((file) => file.slice(0, -4)), files.map((file) => readFileSync(new URL(file, styles), 'utf8'))]
}

/** These files run in one transaction. */
const TOTALS_VIEWS_AND_GRANTS = [
  'totals',
  'repeated_units',
  'views',
  'service_grants',
  'console_grants',
  'analyst_grants',
]

/** One migrate at a time: a second process waits for the first. */
const LOCK_KEY = 4_170_003

type MigrateProgress = (step: string) => void

/** The runner names a migration as it begins: "### MIGRATION 001_frame_index (UP) ###". */
const loggerOf = (progress: MigrateProgress) => ({
  debug: () => {},
  info: (line: string) => {
    const [, name] = /^### MIGRATION (\S+) \(UP\) ###/.exec(line) ?? []
    if (name !== undefined) progress(`applying ${name}`)
  },
  warn: () => {},
  error: () => {},
})

/**
 * Applies the pending migrations, every function, the styles, then totals, views and grants; each of these steps is one
 * transaction. Triggers and views may name functions, so the functions that the database lacks are added before the
 * migrations. The functions that it has are replaced after them: until then the release before finds its own.
 * Returns the names of the migrations that were pending. A superuser works as the owner of the tables, so that new
 * tables belong to the same role.
 */
export async function migrate(target: Target, progress: MigrateProgress = () => {}): Promise<string[]> {
  await refuseSharedSessions(target, connect)
  const client = new pg.Client(typeof target === 'string' ? { connectionString: target } : target)
  await client.connect()
  try {
    await refuseUnfit(client)
    await client.query(sqlText('migrate/no_time_limit'))
    await client.query(sqlText('migrate/lock'), [LOCK_KEY])
    await client.query(sqlText('migrate/postgis'))
    await client.query(sqlText('migrate/as_owner'))
    const functions = functionFiles()
    const lacking = await client.query<{ name: string }>(sqlText('migrate/functions_lacking'), [
      functions.map(({ name }) => name),
    ])
    // A new database has no schema analyst yet, and no migration needs a function of it.
    const isLacking = ({ name }: FunctionFile) =>
      lacking.rows.some((row) => row.name === name) && !name.startsWith('analyst.')
    await apply(client, functions.filter(isLacking))
    const done = await runner({
      dbClient: client,
      dir: folder,
      ignorePattern: '(?!\\d{3}_.*\\.sql$).*',
      direction: 'up',
      migrationsTable: 'migration',
      noLock: true,
      logger: loggerOf(progress),
    })
    await apply(client, functions)
    await client.query(sqlText('migrate/styles_put'), styleFiles())
    progress('putting totals, views and grants in place')
    await client.query(TOTALS_VIEWS_AND_GRANTS.map((file) => sqlText(`migrate/${file}`)).join(';\n'))
    await client.query(sqlText('migrate/unlock'), [LOCK_KEY])
    return done.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/**
 * Makes the functions in one transaction. A function may name tables that a migration makes later, so PostgreSQL does
 * not check bodies here.
 */
const apply = (client: pg.Client, functions: readonly FunctionFile[]) =>
  client.query(
    ['begin', sqlText('session/no_body_checks'), functions.map(({ text }) => text).join('\n'), 'commit'].join(';\n'),
  )

/**
 * Refuses a session that may not write, such as one of frames_analyst. Unit names are folded by fold_name, which needs
 * both UTF8 and ICU; the migrations before it would stay in a database that has neither.
 */
async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; icu: boolean; reader: string | null }>(
    sqlText('migrate/encoding'),
  )
  const { encoding = '', icu = false, reader = null } = rows[0] ?? {}
  if (reader !== null) {
    throw new Error(
      `${reader} may only read here. Give the DATABASE_URL of frames_owner, who owns the tables, and of the primary.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new Error(
      `The encoding of this database is ${encoding}, and UTF8 is needed. Create one with: create database frames encoding 'UTF8' template template0`,
    )
  }
  if (!icu) {
    throw new Error(
      'This PostgreSQL was built without ICU, which folds unit names. Use a build that has it, such as the packages of PostgreSQL, Debian or Alpine.',
    )
  }
}
