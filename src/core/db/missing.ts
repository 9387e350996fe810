/** Says what a database lacks. A process that serves looks, and loads nothing that migrates. */
import type { Database } from './connect.js'
import { functionNames, migrationNames } from './release.js'
import { sqlText } from './statement.js'

const RUN_MIGRATE = 'Run "npm run -s frames -- migrate".'

/**
 * A release before 1.0.0 had other migrations, which come before the newest of ours; those of a later release come
 * after them. Returns what is wrong with such a database, and what to do.
 */
export function tooOld(done: readonly string[]): [what: string, fix: string] | undefined {
  const known = migrationNames()
  const foreign = done.find((name) => !known.includes(name) && name < (known.at(-1) ?? ''))
  if (foreign === undefined) return undefined
  return [
    `A release before 1.0.0 made this database (migration ${foreign}), and no "migrate" brings it up.`,
    `Make a new database, ${RUN_MIGRATE.replace('Run', 'run').slice(0, -1)} there, and load your files again. The old organisations, keys and entries stay readable here, in organisation, api_key and credit_entry.`,
  ]
}

/** Returns a sentence that says why the service cannot use this database; undefined when it can. */
export async function whatIsMissing(db: Database): Promise<string | undefined> {
  const [version] = await db.rows<{ server: number; postgis: string | null; migrationTable: string | null }>(
    sqlText('migrate/versions'),
    [],
  )
  if (version && version.server < 150_000) return 'This database is older than PostgreSQL 15, the oldest that works.'
  const done = version?.migrationTable ? await db.rows<{ name: string }>(sqlText('migrate/migrations_done'), []) : []
  const why = tooOld(done.map(({ name }) => name))
  if (why !== undefined) return why.join(' ')
  const pending = migrationNames().filter((name) => !done.some((migration) => migration.name === name))
  if (!version?.postgis) {
    return `This database has no PostGIS yet. ${RUN_MIGRATE} That adds it, where the server has PostGIS 3.3 or later.`
  }
  const [major = 0, minor = 0] = version.postgis.split('.').map(Number)
  if (major < 3 || (major === 3 && minor < 3)) return `PostGIS ${version.postgis} is installed, 3.3 or later is needed.`
  if (pending.length > 0) return `Migrations are pending: ${pending.join(', ')}. ${RUN_MIGRATE}`
  const lacking = await db.rows<{ name: string }>(sqlText('migrate/functions_lacking'), [functionNames()])
  if (lacking.length > 0)
    return `This database lacks functions: ${lacking.map(({ name }) => name).join(', ')}. ${RUN_MIGRATE}`
  const [index] = await db.rows<{ isBehind: boolean }>(sqlText('migrate/index_behind'), [])
  return index?.isBehind
    ? `An older release made this index, and its datasets are not added up yet. ${RUN_MIGRATE}`
    : undefined
}
