/** Brings a database to the newest migration. */
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { onlyRow } from './builder.js'
import type { Target } from './database.js'
import { tooOld } from './missing.js'
import { expectedObjects, functionFiles, type FunctionFile, OBJECTS, type SchemaObject, styleFiles } from './release.js'
import { projectFolder, sqlText } from './statement.js'

const folder = fileURLToPath(new URL('migrations/', projectFolder))

/** These files run in one transaction. */
const VIEWS_AND_GRANTS = ['views', 'service_grants', 'console_grants', 'analyst_grants']

/** One migrate at a time: a second process waits until the session of the first has ended. */
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
 * Applies the pending migrations, every function, the styles, what is kept of datasets, then views and grants; each of
 * these steps is one transaction. Triggers and views may name functions, so the functions that the database lacks are
 * added before the migrations. The functions that it has are replaced after them: until then the release before finds
 * its own. Rights that this release does not need are taken back once no release before it is likely to run, and tables
 * without statistics are analyzed. A superuser works as the owner of the tables, so that new tables belong to the same
 * role.
 */
export async function migrate(target: Target, progress: MigrateProgress = () => {}): Promise<Migrated> {
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
    const { drops, grants, revokes, isOfThisRelease } = await repairsOf(client, migrated)
    await apply(client, functions, drops, grants)
    await client.query(sqlText('migrate/styles_put'), styleFiles())
    const wasBehind = await keepBehind(client, progress)
    await keepRows(client, progress)
    progress('putting views and grants in place')
    const isAlone = migrations.length === 0 && isOfThisRelease
    const steps = VIEWS_AND_GRANTS.map((file) => `${sqlText(`migrate/${file}`)};`)
    await client.query([...(isAlone ? [revokes] : []), ...steps].join('\n'))
    const analyzed = await gatherMissingStatistics(client)
    const repaired = [...(await changedSince(client, before)), ...analyzed]
    const notes = wasBehind ? await notesOnDistances(client) : []
    if (revokes !== '' && !isAlone) notes.push(RIGHTS_LEFT)
    return { migrations, repaired: migrations.length === 0 ? repaired : analyzed, notes }
  } finally {
    await client.end()
  }
}

/** The objects of the database, as JSON. */
async function presentObjects(client: pg.Client): Promise<string> {
  await client.query(`begin;\n${sqlText('session/public_alone')}`)
  const { rows } = await client.query<SchemaObject>(OBJECTS)
  await client.query('commit')
  return JSON.stringify(rows)
}

type Repairs = { drops: string; grants: string; revokes: string; isOfThisRelease: boolean }

async function repairsOf(client: pg.Client, present: string): Promise<Repairs> {
  const { rows } = await client.query<Repairs>(sqlText('schema/repairs'), [JSON.stringify(expectedObjects()), present])
  return onlyRow(rows)
}

async function changedSince(client: pg.Client, before: string): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(sqlText('schema/changed'), [
    before,
    await presentObjects(client),
  ])
  return rows.map(({ what }) => what)
}

/** Analyzes the tables whose rows the planner does not know, such as those that a migration made or filled anew. */
async function gatherMissingStatistics(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ severity: string; fix: string }>(sqlText('doctor/statistics'))
  const fixes = rows.filter(({ severity }) => severity !== 'unchecked').map(({ fix }) => fix)
  for (const fix of fixes) await client.query(fix)
  return fixes.map((fix) => fix.replace(/^analyze (.*);$/, 'statistics of $1'))
}

/**
 * Keeps units, arrays, classes and totals where an older release made the index, and returns whether one did. An
 * interruption leaves the rows as they were: the service then refuses to start, and the next migrate begins anew.
 */
async function keepBehind(client: pg.Client, progress: MigrateProgress): Promise<boolean> {
  const { rows } = await client.query<{ isBehind: boolean }>(sqlText('migrate/index_behind'))
  if (!onlyRow(rows).isBehind) return false
  const datasets = await client.query<{ layer: string }>(sqlText('migrate/datasets'))
  progress('placing the frames in their units')
  await client.query(`begin;\n${sqlText('migrate/index_keep')}`)
  for (const [i, { layer }] of datasets.rows.entries()) {
    progress(`adding up ${layer}, ${i + 1} of ${datasets.rows.length}`)
    await client.query(sqlText('migrate/dataset_keep'), [layer])
  }
  await client.query('commit')
  return true
}

/** The views of analysts read these rows, which an older release did not keep. An interrupted run goes on with the next one. */
async function keepRows(client: pg.Client, progress: MigrateProgress): Promise<void> {
  const { rows } = await client.query<{ layer: string }>(sqlText('migrate/rows_lacking'))
  for (const [i, { layer }] of rows.entries()) {
    progress(`keeping the rows of ${layer}, ${i + 1} of ${rows.length}`)
    await client.query(sqlText('migrate/rows_keep'), [layer])
  }
}

const RIGHTS_LEFT =
  'Some rights are not needed any more. Processes of the release before may use them: run "migrate" again when these have ended, and it takes them back.'

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
const apply = async (client: pg.Client, functions: readonly FunctionFile[], drops = '', grants = '') => {
  const texts = [drops, ...functions.map(({ text }) => text), grants].join('\n')
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

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ refusal: string | null; isMigrated: boolean }>(sqlText('migrate/unfit'), [
    (client as { processID?: number }).processID,
  ])
  const { refusal, isMigrated } = onlyRow(rows)
  if (refusal !== null) throw new Error(refusal)
  if (!isMigrated) return
  const done = await client.query<{ name: string }>(sqlText('migrate/migrations_done'))
  const why = tooOld(done.rows.map(({ name }) => name))
  if (why !== undefined) throw new Error(why.join(' '))
}
