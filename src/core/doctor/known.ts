/** Reads the facts that checks share, before the first of them. */
import { randomInt } from 'node:crypto'
import type { Database } from '../db/connect.js'
import { migrationNames } from '../db/missing.js'
import { PRIMARY_CONNECTIONS } from '../db/pool-sizes.js'
import { expectedObjects, OBJECTS, type PresentObject } from '../db/schema.js'
import { sqlText } from '../db/statement.js'
import type { Known, Row } from './check.js'
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
  const indexes = await rowsInPublic<{ name: string }>(db, sqlText('inspect/indexes_valid'))
  const [size] = await db.rows<{ frame: number; feature: number }>(sqlText('inspect/sizes'), [])
  const [session] = await db.rows<Session>(sqlText('inspect/owner'), [])
  const { owner = '', isOwner = true, roles = [] } = session ?? {}
  const { shapes, totals, largestUnit } = SAMPLES[reading]
  const percent = (bytes = 0, most = shapes) => (bytes <= most ? 100 : (100 * most) / bytes)
  let differing: Promise<Row[]> | undefined
  return {
    migrations: migrationNames(),
    differing: () => (differing ??= differingIn(db, owner, roles)),
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

async function differingIn(db: Database, owner: string, roles: string[]): Promise<Row[]> {
  const present = await rowsInPublic<PresentObject>(db, OBJECTS)
  return differingObjects({ expected: expectedObjects(), present, owner, roles })
}

/** PostgreSQL writes the schema before the name of each object that is not on the search path. */
const rowsInPublic = <R extends object>(db: Database, text: string): Promise<R[]> =>
  db.transaction(async (run) => {
    await run(sqlText('session/public_alone'), [])
    return await run<R>(text, [])
  })
