/** Reads the facts that checks share, before the first of them. */
import { CONNECTIONS, type Database } from '../db/connect.js'
import { migrationNames } from '../db/migrate.js'
import { expectedObjects, OBJECTS, type PresentObject } from '../db/schema.js'
import type { Known } from './check.js'
import { expectedFunctions } from './functions.js'

/** A check that compares shapes reads this much of a table: 40,000 frames. */
const SAMPLE_BYTES = 12 * 1024 * 1024

const SIZES = `
  select pg_relation_size(to_regclass('public.frame'))::float8 as frame,
    pg_relation_size(to_regclass('public.feature'))::float8 as feature`
const VALID_INDEXES = 'select indexrelid::regclass::text as name from pg_index where indisvalid'
const OWNER = `
  select relowner::regrole::text as owner, pg_has_role(relowner, 'USAGE') as "isOwner"
  from pg_class where oid = 'public.migration'::regclass`

export async function readKnown(db: Database, isThorough: boolean): Promise<Known> {
  const [size] = await db.rows<{ frame: number; feature: number }>(SIZES, [])
  const indexes = await db.rows<{ name: string }>(VALID_INDEXES, [])
  const [owner] = await db.rows<{ owner: string; isOwner: boolean }>(OWNER, [])
  const percent = (bytes = 0) => (isThorough || bytes <= SAMPLE_BYTES ? 100 : (100 * SAMPLE_BYTES) / bytes)
  return {
    migrations: migrationNames(),
    expected: expectedObjects(),
    present: await presentObjects(db),
    functions: expectedFunctions(),
    connections: CONNECTIONS,
    owner: owner?.owner ?? '',
    isOwner: owner?.isOwner ?? true,
    indexes: indexes.map(({ name }) => name),
    percent: { frame: percent(size?.frame), feature: percent(size?.feature) },
  }
}

/** PostgreSQL writes the schema before the name of each object that is not on the search path. */
const presentObjects = (db: Database) =>
  db.transaction(async (run) => {
    await run('set local search_path = public', [])
    return await run<PresentObject>(OBJECTS, [])
  })
