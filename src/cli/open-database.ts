/** Finds the database a command works on: DATABASE_URL's, a running embedded one, or an embedded one started for the command. */
import type { Config } from '../config.js'
import { connect, type Database, type Target } from '../db/connect.js'
import { runningEmbedded, startEmbedded } from '../db/embedded.js'
import { migrate, whatIsMissing } from '../db/migrate.js'

export async function withTarget<Answer>(config: Config, work: (target: Target) => Promise<Answer>): Promise<Answer> {
  const running = config.databaseUrl ?? (await runningEmbedded(config.dataDir))
  if (running) return await work(running)
  const embedded = await startEmbedded(config.dataDir, (error) => {
    throw error
  })
  try {
    await migrate(embedded.target)
    return await work(embedded.target)
  } finally {
    await embedded.close()
  }
}

/** A command's queries may take their time: no deadline but a day's. */
export async function withDatabase<Answer>(config: Config, work: (db: Database) => Promise<Answer>): Promise<Answer> {
  return await withTarget(config, async (target) => {
    const db = connect(target, { connections: 3, deadlineMs: 86_400_000 })
    try {
      const missing = await whatIsMissing(db)
      if (missing) throw new Error(missing)
      return await work(db)
    } finally {
      await db.close()
    }
  })
}
