/** The embedded database of frames serve, with the invented country in it. */
import type { Config } from '../../server/config.js'
import { connect, type Database } from '../../core/db/connect.js'
import { clusterExists } from '../../core/db/embedded/cluster.js'
import { startEmbedded, type Embedded } from '../../core/db/embedded/embedded.js'
import { isMigrated, keepMigrated } from '../../core/db/embedded/migrated.js'
import { indexGeneration } from '../../core/db/statements.js'
import type { Output } from './command.js'
import { endWith } from './open-database.js'

export async function openFixtureDatabase(config: Config, output: Output): Promise<Embedded> {
  const isNew = !clusterExists(config.dataDir)
  output.progress(
    isNew
      ? `making the embedded database in ${config.dataDir} (10 to 15 seconds, once)`
      : `opening the embedded database in ${config.dataDir}`,
  )
  const embedded = await startEmbedded(config.dataDir, endWith)
  try {
    await prepare(embedded, config, output)
    return embedded
  } catch (error) {
    await embedded.close()
    throw error
  }
}

async function prepare({ target }: Embedded, { dataDir }: Config, output: Output): Promise<void> {
  const db = connect(target, { connections: 1, deadlineMs: 86_400_000 })
  try {
    const wasMigrated = await isMigrated(db, dataDir)
    if (!wasMigrated) {
      const { migrate } = await import('../../core/db/migrate.js')
      await migrate(target, output.progress)
    }
    await loadFirstIndex(db, output)
    // Datasets bring views, so this comes last.
    if (!wasMigrated) await keepMigrated(db, dataDir)
  } finally {
    await db.close()
  }
}

/** Loads the fixture into a new database. An index that somebody built or imported stays. */
async function loadFirstIndex(db: Database, output: Output): Promise<void> {
  const [index] = await indexGeneration(db)
  if (Number(index?.generation) > 1) return
  const { loadFixture } = await import('../load/fixture.js')
  await loadFixture(db, output.progress)
}
