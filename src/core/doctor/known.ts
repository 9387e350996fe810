/** Reads the facts that checks share, before the first of them. */
import { randomInt } from 'node:crypto'
import type { Database } from '../db/connect.js'
import { migrationNames } from '../db/missing.js'
import { PRIMARY_CONNECTIONS } from '../db/pool-sizes.js'
import { expectedObjects, OBJECTS, type PresentObject } from '../db/schema.js'
import { sqlText } from '../db/statement.js'
import type { Known } from './check.js'
import { differingObjects } from './objects.js'

const MB = 1024 * 1024

/**
 * How many bytes of a table a check reads that compares shapes, and one that adds up each value of a frame once for each
 * of its units. 12 MB hold 40,000 frames.
 */
const SAMPLES = {
  thorough: { shapes: Infinity, totals: Infinity, largestUnit: 0 },
  usual: { shapes: 12 * MB, totals: MB, largestUnit: 40_000 },
  /** The embedded database answers no call during a check: each takes some 150 ms. */
  betweenCalls: { shapes: MB, totals: MB / 8, largestUnit: 0 },
}

type Session = { owner: string; isOwner: boolean; roles: string[] }

export type Reading = keyof typeof SAMPLES

export async function readKnown(db: Database, reading: Reading): Promise<Known> {
  const { present, indexes } = await objectsOf(db)
  const [size] = await db.rows<{ frame: number; feature: number }>(sqlText('inspect/sizes'), [])
  const [session] = await db.rows<Session>(sqlText('inspect/owner'), [])
  const { owner = '', isOwner = true, roles = [] } = session ?? {}
  const { shapes, totals, largestUnit } = SAMPLES[reading]
  const percent = (bytes = 0, most = shapes) => (bytes <= most ? 100 : (100 * most) / bytes)
  return {
    migrations: migrationNames(),
    differing: differingObjects({ expected: expectedObjects(), present, owner, roles }),
    madeIndexes: expectedObjects()
      .filter(({ kind }) => kind === 'index' || kind === 'unique')
      .map(({ name }) => name),
    connections: PRIMARY_CONNECTIONS,
    owner,
    isOwner,
    indexes: indexes.map(({ name }) => name),
    percent: {
      frame: percent(size?.frame),
      feature: percent(size?.feature),
      total: percent(size?.frame, totals),
    },
    seed: randomInt(1_000_000),
    largestUnit,
    isLarge: (size?.frame ?? 0) > SAMPLES.usual.shapes,
  }
}

/** PostgreSQL writes the schema before the name of each object that is not on the search path. */
const objectsOf = (db: Database) =>
  db.transaction(async (run) => {
    await run(sqlText('session/public_alone'), [])
    const present = await run<PresentObject>(OBJECTS, [])
    const indexes = await run<{ name: string }>(sqlText('inspect/indexes_valid'), [])
    return { present, indexes }
  })
