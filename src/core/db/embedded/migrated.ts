/** Tells whether an embedded database is as the migrate before left it. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../database.js'
import { projectFolder, sqlText } from '../statement.js'

/** The result of migrate depends on the files that it applies, and on its own code. */
const FOLDERS = ['migrations', 'sql/functions', 'sql/migrate', 'sql/styles']
const MIGRATE_PROGRAM = new URL('../migrate.js', import.meta.url)

const stampOf = (dataDir: string) => join(dataDir, 'migrated')

/**
 * DATA_DIR/migrated keeps a hash of the files, and one of what they made in the database: where somebody changed a
 * function, a view or a right meanwhile, migrate puts it in place again. A start without migrate takes a second less.
 */
export const isMigrated = async (db: Database, dataDir: string): Promise<boolean> =>
  readIfThere(stampOf(dataDir)) === (await filesState(db))

export async function keepMigrated(db: Database, dataDir: string): Promise<void> {
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

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
