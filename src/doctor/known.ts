/** Reads the facts that checks share, before the first of them. */
import type { Database } from '../db/connect.js'
import { migrationNames } from '../db/migrate.js'
import { PRIMARY_CONNECTIONS } from '../db/pool-sizes.js'
import { expectedObjects, OBJECTS, type PresentObject } from '../db/schema.js'
import { sqlText } from '../db/statement.js'
import type { Known } from './check.js'
import { expectedFunctions } from './functions.js'

/** A check that compares shapes reads this much of a table: 40,000 frames. */
const SAMPLE_BYTES = 12 * 1024 * 1024

/** A check of totals adds up each value of a frame once for each of its units: it reads 3,000 frames. */
const TOTALS_SAMPLE_BYTES = 1024 * 1024

export async function readKnown(db: Database, isThorough: boolean): Promise<Known> {
  const [size] = await db.rows<{ frame: number; feature: number }>(sqlText('inspect/sizes'), [])
  const indexes = await db.rows<{ name: string }>(sqlText('inspect/indexes_valid'), [])
  const [owner] = await db.rows<{ owner: string; isOwner: boolean }>(sqlText('inspect/owner'), [])
  const percent = (bytes = 0, most = SAMPLE_BYTES) => (isThorough || bytes <= most ? 100 : (100 * most) / bytes)
  return {
    migrations: migrationNames(),
    expected: expectedObjects(),
    present: await presentObjects(db),
    functions: expectedFunctions(),
    connections: PRIMARY_CONNECTIONS,
    owner: owner?.owner ?? '',
    isOwner: owner?.isOwner ?? true,
    indexes: indexes.map(({ name }) => name),
    percent: {
      frame: percent(size?.frame),
      feature: percent(size?.feature),
      total: percent(size?.frame, TOTALS_SAMPLE_BYTES),
    },
  }
}

/** PostgreSQL writes the schema before the name of each object that is not on the search path. */
const presentObjects = (db: Database) =>
  db.transaction(async (run) => {
    await run(sqlText('session/public_alone'), [])
    return await run<PresentObject>(OBJECTS, [])
  })
