/** Fills an organisation with plausible data, so that its pages look as they do after months of use. */
import { createHash } from 'node:crypto'
import { PRESETS } from '../../src/core/access/capabilities.js'
import { randomText } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'
import { credit } from '../support/datasets.js'
import { newOrganisation } from '../support/service.js'
import { enterMember } from '../support/people.js'

type FilledKey = {
  name: string
  datasets?: string[]
  /** Days from today. */
  minted: number
  expires: number
  /** Hours from now. */
  ends?: number
  /** It takes the place of the key before it in the list. */
  isRolled?: true
  /** Calls of a working day. */
  calls: number
}

const LONG_NAME =
  'Regional planning department, flood risk model of the northern river basins, nightly batch on server planning-07'

const keysOf = (layerIds: readonly string[]): FilledKey[] => [
  { name: LONG_NAME, datasets: layerIds.slice(0, 3), minted: -80, expires: 9, calls: 1250 },
  { name: 'Trial of the dashboard', minted: -2, expires: 88, calls: 0 },
  { name: 'Mobile app', minted: -60, expires: 30, ends: 20, calls: 9400 },
  { name: 'Mobile app', minted: -1, expires: 89, isRolled: true, calls: 240 },
  { name: 'Old laptop', minted: -100, expires: 80, ends: -300, calls: 0 },
  { name: 'Workshop in spring', minted: -200, expires: -100, calls: 0 },
]

export type Filled = { orgId: string; keyIds: string[] }

/** Needs a database that has datasets. */
export async function fillOrganisation(db: Database): Promise<Filled> {
  const orgId = await newOrganisation(db, 'pro')
  // Test files share a database, and no two organisations have one name.
  await db.rows(
    `update organisation set name = 'Institute of Geography ' || right(org_id, 4) where org_id = $1::text`,
    [orgId],
  )
  const ada = await enterMember(db, { orgId, role: 'owner', name: 'Ada Obi', email: 'ada@example.org' })
  const longEmail = 'chidinma.oluwaseun-adebayo@planning.department.example.org'
  await enterMember(db, { orgId, role: 'member', name: 'Chidinma Oluwaseun-Adebayo', email: longEmail })
  const layers = await db.rows<{ id: string }>('select layer_id as id from dataset order by layer_id', [])
  const layerIds = layers.map(({ id }) => id)
  const keyIds: string[] = []
  for (const key of keysOf(layerIds)) {
    const rolledFrom = key.isRolled ? (keyIds.at(-1) ?? null) : null
    keyIds.push(await enterKey(db, { orgId, key, rolledFrom, createdBy: ada }))
  }
  await enterCredits(db, orgId, keyIds, layerIds)
  await db.rows(
    `insert into unknown_word (org_id, month, word, times)
     values ($1::text, date_trunc('month', ledger_clock() at time zone 'UTC')::date, 'unexceptionablenessesoftheland', 1)`,
    [orgId],
  )
  return { orgId, keyIds }
}

type Entry = { orgId: string; key: FilledKey; rolledFrom: string | null; createdBy: string }

async function enterKey(db: Database, { orgId, key, rolledFrom, createdBy }: Entry): Promise<string> {
  const keyId = `key_${randomText(12)}`
  await db.rows(
    `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, datasets,
       created_at, expires_at, revoked_at, rolled_from, created_by)
     values ($1::text, $2::text, decode($3::text, 'hex'), right($1::text, 4), $4::text, $5::text[], $6::text[],
       clock_timestamp() + make_interval(days => $7::int), clock_timestamp() + make_interval(days => $8::int),
       clock_timestamp() + make_interval(hours => $9::int), $10::text, $11::text)`,
    [
      keyId,
      orgId,
      createHash('sha256').update(keyId).digest('hex'),
      key.name,
      [...PRESETS.locality],
      key.datasets ?? null,
      key.minted,
      key.expires,
      key.ends ?? null,
      rolledFrom,
      createdBy,
    ],
  )
  if (key.calls > 0) await enterUse(db, keyId, key.calls)
  return keyId
}

/** A few calls are refused, and many on a bad day a week ago. */
async function enterUse(db: Database, keyId: string, calls: number): Promise<void> {
  await db.rows('insert into key_seen (key_id, seen_at) values ($1::text, clock_timestamp())', [keyId])
  await db.rows(
    `insert into key_use (key_id, day, call, outcome, bucket, calls, last_request_id)
     select $1::text, today - back, call, outcome, bucket, ceil($2::int * part), 'req_' || substr(md5(call || back), 1, 12)
     from (select (clock_timestamp() at time zone 'UTC')::date as today) as clock
     cross join generate_series(0, 13) as back
     cross join lateral (values
       ('/v1/frames/at', 'ok', '', 0.7),
       ('/v1/frames', 'not_modified', '', 0.08),
       ('/v1/frames/insight', 'worded', '', 0.02),
       ('/v1/frames/at', 'invalid_point', '', 0.02),
       ('/v1/frames/at', 'rate_limited', 'key', case when back = 7 then 0.4 else 0.01 end)
     ) as part (call, outcome, bucket, part)`,
    [keyId, calls],
  )
}

async function enterCredits(
  db: Database,
  orgId: string,
  keyIds: readonly string[],
  layerIds: readonly string[],
): Promise<void> {
  await credit(db, orgId, 5000)
  await db.rows(
    `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits, entered_at)
     select $1::text, 'req_' || substr(md5(n::text), 1, 16), 'dataset', ($3::text[])[1 + n % cardinality($3::text[])],
       ($2::text[])[1 + n % 3], -(1 + n % 5), clock_timestamp() - n * interval '5 hours'
     from generate_series(30, 1, -1) as n`,
    [orgId, keyIds.slice(0, 3), layerIds.slice(0, 2)],
  )
}
