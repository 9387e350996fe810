/** The embedded database of frames serve, with the invented country in it. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  clusterExists,
  connect,
  type Database,
  type Embedded,
  projectFolder,
  sqlText,
  startEmbedded,
  migrate,
} from '../../core/db/index.js'
import { indexGeneration } from '../../core/db/statements.js'
import type { Config } from '../../server/config.js'
import type { Output } from './command.js'
import { endWith } from './open-database.js'

/** `loading`: the imports of the rest of the program. Those of this file follow them. */
export async function openFixtureDatabase(
  config: Config,
  output: Output,
  loading: Promise<unknown>,
): Promise<Embedded> {
  const isNew = !clusterExists(config.dataDir)
  output.progress(
    isNew
      ? `making the embedded database in ${config.dataDir} (10 to 15 seconds, once)`
      : `opening the embedded database in ${config.dataDir}`,
  )
  const embedded = await startEmbedded(config.dataDir, endWith)
  try {
    await loading
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
export async function loadFirstIndex(db: Database, output: Pick<Output, 'progress'>): Promise<void> {
  const [index] = await indexGeneration(db)
  if (Number(index?.generation) > 1) return
  const { foreignIndex, loadFixture } = await import('../load/fixture.js')
  if (!(await foreignIndex(db))) await loadFixture(db, output.progress)
}

/** The result of migrate depends on the files that it applies, and on its own code. */
const FOLDERS = ['migrations', 'sql/functions', 'sql/migrate', 'sql/styles']
const MIGRATE_PROGRAM = new URL('../../core/db/migrate.js', import.meta.url)

const stampOf = (dataDir: string) => join(dataDir, 'migrated')

/**
 * DATA_DIR/migrated keeps a hash of the files, and one of what they made in the database: where somebody changed a
 * function, a view or a right meanwhile, migrate puts it in place again. A start without migrate takes a second less.
 */
const isMigrated = async (db: Database, dataDir: string): Promise<boolean> =>
  stampText(stampOf(dataDir)) === (await filesState(db))

async function keepMigrated(db: Database, dataDir: string): Promise<void> {
  const stamp = stampOf(dataDir)
  writeFileSync(`${stamp}.new`, await filesState(db))
  renameSync(`${stamp}.new`, stamp)
}

async function filesState(db: Database): Promise<string> {
  const [row] = await db.rows<{ fingerprint: string }>(sqlText('migrate/fingerprint'), [])
  return `files ${filesHash()}, objects ${row?.fingerprint}\n`
}

function filesHash(): string {
  const hash = createHash('sha256').update(readFileSync(MIGRATE_PROGRAM))
  for (const folder of FOLDERS) {
    const url = new URL(`${folder}/`, projectFolder)
    for (const file of readdirSync(url).sort()) hash.update(file).update(readFileSync(new URL(file, url)))
  }
  return hash.digest('hex').slice(0, 32)
}

function stampText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
