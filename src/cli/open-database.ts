/** Finds the database a command works on: DATABASE_URL's, a running embedded one, or an embedded one started for the command. */
import type { Config } from '../config.js'
import { connect, type Database, type Target } from '../db/connect.js'
import { embeddedExists, runningEmbedded, startEmbedded } from '../db/embedded/embedded.js'
import { migrate, whatIsMissing } from '../db/migrate.js'

export const withTarget = <Answer>(config: Config, work: (target: Target) => Promise<Answer>): Promise<Answer> =>
  opened(config, work, async (target) => void (await migrate(target)))

/** `prepare` is done to an embedded database that is started for the command. */
async function opened<Answer>(
  config: Config,
  work: (target: Target) => Promise<Answer>,
  prepare: (target: Target) => Promise<void>,
): Promise<Answer> {
  const running = config.databaseUrl ?? (await runningEmbedded(config.dataDir))
  if (running) return await work(running)
  const embedded = await startEmbedded(config.dataDir, (error) => {
    throw error
  })
  try {
    await prepare(embedded.target)
    return await work(embedded.target)
  } finally {
    await embedded.close()
  }
}

/** To look at a database without changing it: nothing is made, nothing is migrated. */
export async function withDatabaseAsItIs<Answer>(
  config: Config,
  work: (db: Database, isEmbedded: boolean) => Promise<Answer>,
): Promise<Answer> {
  if (config.databaseUrl === undefined && !embeddedExists(config.dataDir)) {
    throw new Error(`There is no database in ${config.dataDir}. "npm start" makes one; or set DATABASE_URL.`)
  }
  const look = async (target: Target) => {
    const db = connect(target, patient)
    try {
      return await work(db, typeof target !== 'string')
    } finally {
      await db.close()
    }
  }
  return await opened(config, look, async () => {})
}

/** A command's queries may take their time: no deadline but a day's. */
const patient = { connections: 3, deadlineMs: 86_400_000 }

export async function withDatabase<Answer>(config: Config, work: (db: Database) => Promise<Answer>): Promise<Answer> {
  return await withTarget(config, async (target) => {
    const db = connect(target, patient)
    try {
      const missing = await whatIsMissing(db)
      if (missing) throw new Error(missing)
      return await work(db)
    } finally {
      await db.close()
    }
  })
}
