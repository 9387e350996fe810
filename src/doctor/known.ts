/** Reads the facts that checks share, before the first of them. */
import type { Database } from '../db/connect.js'
import { migrationNames } from '../db/missing.js'
import { PRIMARY_CONNECTIONS } from '../db/pool-sizes.js'
import { expectedObjects, OBJECTS, type PresentObject } from '../db/schema.js'
import { sqlText } from '../db/statement.js'
import type { Known } from './check.js'
import { expectedFunctions } from './functions.js'

const MB = 1024 * 1024

/**
 * How many bytes of a table a check reads that compares shapes, and one that adds up each value of a frame once for each
 * of its units. 12 MB hold 40,000 frames.
 */
const SAMPLES = {
  thorough: { shapes: Infinity, totals: Infinity },
  usual: { shapes: 12 * MB, totals: MB },
  /** The embedded database answers no call during a check: each takes some 150 ms. */
  betweenCalls: { shapes: MB, totals: MB / 8 },
}

export type Reading = keyof typeof SAMPLES

export async function readKnown(db: Database, reading: Reading): Promise<Known> {
  const [size] = await db.rows<{ frame: number; feature: number }>(sqlText('inspect/sizes'), [])
  const indexes = await db.rows<{ name: string }>(sqlText('inspect/indexes_valid'), [])
  const [owner] = await db.rows<{ owner: string; isOwner: boolean }>(sqlText('inspect/owner'), [])
  const { shapes, totals } = SAMPLES[reading]
  const percent = (bytes = 0, most = shapes) => (bytes <= most ? 100 : (100 * most) / bytes)
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
      total: percent(size?.frame, totals),
    },
    isLarge: (size?.frame ?? 0) > SAMPLES.usual.shapes,
  }
}

/** PostgreSQL writes the schema before the name of each object that is not on the search path. */
const presentObjects = (db: Database) =>
  db.transaction(async (run) => {
    await run(sqlText('session/public_alone'), [])
    return await run<PresentObject>(OBJECTS, [])
  })
