/**
 * Finds the database that a command works on: DATABASE_URL's, the embedded one that runs, or one started for the
 * command.
 */
import { atCommandLine } from './actor.js'
import type { Config } from '../../server/config.js'
import type { Output, Run } from './command.js'
import {
  clusterExists,
  connect,
  type Database,
  FullDisk,
  hostsOf,
  isLostWrite,
  runningEmbedded,
  sqlText,
  startEmbedded,
  startProbes,
  type Target,
  urlOfEachHost,
  whatIsMissing,
  migrate,
} from '../../core/db/index.js'

/**
 * The queries of a command may take long: their deadline is a day. Managed services often give databases or roles a
 * statement_timeout of a minute or less, which would end a build in the middle.
 */
const COMMAND_CONNECTION = { connections: 3, deadlineMs: 86_400_000, session: { statement_timeout: '0' } }

/** `isOurs`: the embedded database was started for this command. */
export async function withCommandTarget<Answer>(
  config: Config,
  work: (target: Target, isOurs: boolean) => Promise<Answer>,
): Promise<Answer> {
  const { databaseUrl } = config
  const running = databaseUrl === undefined ? await runningEmbedded(config.dataDir) : await primaryOf(databaseUrl)
  if (running) return await work(running, false)
  const embedded = await startEmbedded(config.dataDir, endWith)
  try {
    return await work(embedded.target, true)
  } finally {
    await embedded.close()
  }
}

/** Ends the process whose embedded database has stopped. Where a person can help it, a sentence says how. */
export function endWith(error: Error): void {
  process.stderr.write(`${error instanceof FullDisk ? error.message : error.stack}\n`)
  process.exit(1)
}

/** A command works on the host that is the primary when it starts. */
async function primaryOf(databaseUrl: string): Promise<Target> {
  if (urlOfEachHost(databaseUrl).length < 2) return databaseUrl
  const hosts = hostsOf(databaseUrl)
  const probes = startProbes(hosts, [], { connect })
  try {
    await probes.findPrimary()
    return typeof hosts.target === 'function' ? hosts.target() : hosts.target
  } finally {
    await probes.stop()
  }
}

/** Makes no database and applies no migration: the command only looks. */
export async function withDatabaseAsItIs<Answer>(
  config: Config,
  work: (db: Database, isEmbedded: boolean) => Promise<Answer>,
): Promise<Answer> {
  if (config.databaseUrl === undefined && !clusterExists(config.dataDir)) {
    throw new Error(`There is no database in ${config.dataDir}. "npm start" makes one; or set DATABASE_URL.`)
  }
  return await withCommandTarget(config, (target) => connected(target, (db) => work(db, typeof target !== 'string')))
}

/** Fails where a migration is missing, and applies it first in an embedded database that only this command uses. */
export async function withDatabase<Answer>(config: Config, work: (db: Database) => Promise<Answer>): Promise<Answer> {
  return await withCommandTarget(config, async (target, isOurs) => {
    if (isOurs) {
      await migrate(target)
    }
    return await connected(target, async (db) => {
      const missing = await whatIsMissing(db)
      if (missing) throw new Error(missing)
      await makeMissingViews(db)
      return await work(atCommandLine(db))
    })
  })
}

/** An import that ended after its rows were served, and before its view was made, left it to the next command. */
async function makeMissingViews(db: Database): Promise<void> {
  // "frames doctor" says which are missing still.
  await db.rows(sqlText('import/views_missing'), []).catch(() => {})
}

async function connected<Answer>(target: Target, work: (db: Database) => Promise<Answer>): Promise<Answer> {
  const db = connect(target, COMMAND_CONNECTION)
  // The statements under way fail as lost: the command then says what it changed.
  const survive = (error: Error) => (isLostWrite(error) ? db.reconnect() : endWith(error))
  process.on('uncaughtException', survive)
  try {
    return await work(db)
  } finally {
    process.off('uncaughtException', survive)
    await db.close()
  }
}

/** Runs a command on its database, and prints the value that it returns. */
export const onDatabase =
  <G, Value>(
    work: (db: Database, given: G, output: Output) => Promise<Value>,
    text: (value: Value, given: G) => string,
  ): Run<G> =>
  async (config, given, output) => {
    const value = await withDatabase(config, (db) => work(db, given, output))
    output.result(value, text(value, given))
  }
