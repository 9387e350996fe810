/** Brings a database to the newest migration. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { connect, type Target } from './connect.js'
import { functionFiles, type FunctionFile } from './functions.js'
import { tooOld } from './missing.js'
import { refuseSharedSessions } from './pooler.js'
import { differences, repairsOf } from './repairs.js'
import { OBJECTS, type PresentObject } from './schema.js'
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

/** `repaired` names what was not as this release has it; `notes` say what a person may do now. */
export type Migrated = { migrations: string[]; repaired: string[]; notes: string[] }

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
 * migrations. The functions that it has are replaced after them: until then the release before finds its own. Rights
 * that this release does not need are taken back once no release before it is likely to run, and tables without
 * statistics are analyzed. A superuser works as the owner of the tables, so that new tables belong to the same role.
 */
export async function migrate(target: Target, progress: MigrateProgress = () => {}): Promise<Migrated> {
  await refuseSharedSessions(target, connect)
  const client = new pg.Client(typeof target === 'string' ? { connectionString: target } : target)
  // Without a listener, a connection that is lost between two statements ends the process with a stack trace.
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseUnfit(client)
    await client.query(sqlText('migrate/no_time_limit'))
    await client.query(sqlText('migrate/lock'), [LOCK_KEY])
    await client.query(sqlText('migrate/postgis'))
    await client.query(sqlText('migrate/as_owner'))
    const before = await presentObjects(client)
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
    const migrations = done.map((migration) => migration.name)
    const migrated = migrations.length === 0 ? before : await presentObjects(client)
    const { drops, revokes, isOfThisRelease } = repairsOf(migrated)
    await apply(client, functions, drops)
    await client.query(sqlText('migrate/styles_put'), styleFiles())
    progress('putting totals, views and grants in place')
    const isAlone = migrations.length === 0 && isOfThisRelease
    const steps = TOTALS_VIEWS_AND_GRANTS.map((file) => `${sqlText(`migrate/${file}`)};`)
    await client.query([...(isAlone ? revokes : []), ...steps].join('\n'))
    const analyzed = await gatherMissingStatistics(client)
    const repaired = [...differences(before, await presentObjects(client)), ...analyzed]
    const notes = migrations.includes(DISTANCES) ? await notesOnDistances(client) : []
    if (revokes.length > 0 && !isAlone) notes.push(RIGHTS_LEFT)
    await client.query(sqlText('migrate/unlock'), [LOCK_KEY])
    return { migrations, repaired: migrations.length === 0 ? repaired : analyzed, notes }
  } finally {
    await client.end()
  }
}

async function presentObjects(client: pg.Client): Promise<PresentObject[]> {
  await client.query(`begin;\n${sqlText('session/public_alone')}`)
  const { rows } = await client.query<PresentObject>(OBJECTS)
  await client.query('commit')
  return rows
}

/** Analyzes the tables whose rows the planner does not know, such as those that a migration made or filled anew. */
async function gatherMissingStatistics(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ severity: string; fix: string }>(sqlText('doctor/statistics'))
  const fixes = rows.filter(({ severity }) => severity !== 'unchecked').map(({ fix }) => fix)
  for (const fix of fixes) await client.query(fix)
  return fixes.map((fix) => fix.replace(/^analyze (.*);$/, 'statistics of $1'))
}

const RIGHTS_LEFT =
  'Some rights are not needed any more. Processes of the release before may use them: run "migrate" again when these have ended, and it takes them back.'

const DISTANCES = '020_distances'

/** Features that were imported before there were distances have none. */
async function notesOnDistances(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ layer: string }>(sqlText('migrate/distances_lacking'))
  if (rows.length === 0) return []
  const layers = rows.map(({ layer }) => layer)
  const command = `npm run -s frames -- datasets measure ${layers[0]}`
  return [`The distances of frames to ${layers.join(', ')} are not measured yet. Measure each: ${command}`]
}

/**
 * Makes the functions in one transaction. A function may name tables that a migration makes later, so PostgreSQL does
 * not check bodies here.
 */
const apply = async (client: pg.Client, functions: readonly FunctionFile[], drops: readonly string[] = []) => {
  const texts = [...drops, ...functions.map(({ text }) => text)].join('\n')
  try {
    await client.query(['begin', sqlText('session/no_body_checks'), texts, 'commit'].join(';\n'))
  } catch (error) {
    const { code, message, detail } = error as pg.DatabaseError
    if (code !== DEPENDED_UPON) throw error
    const what = `${message}: ${detail}. Drop what depends on it, run "npm run -s frames -- migrate" again, and make it anew.`
    throw new Error(what, { cause: error })
  }
}
const DEPENDED_UPON = '2BP01'

/**
 * Refuses a session that may not write, such as one of frames_analyst. Unit names are folded by fold_name, which needs
 * both UTF8 and ICU; the migrations before it would stay in a database that has neither.
 */
async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    encoding: string
    icu: boolean
    reader: string | null
    migrated: string | null
  }>(sqlText('migrate/encoding'))
  const { encoding = '', icu = false, reader = null, migrated = null } = rows[0] ?? {}
  if (reader !== null) {
    throw new Error(
      `${reader} may only read here. Give the DATABASE_URL of frames_owner, who owns the tables, and of the primary.`,
    )
  }
  if (migrated !== null) {
    const done = await client.query<{ name: string }>(sqlText('migrate/migrations_done'))
    const why = tooOld(done.rows.map(({ name }) => name))
    if (why !== undefined) throw new Error(why.join(' '))
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
