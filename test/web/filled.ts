/** Fills an organisation with plausible data, so that its pages look as they do after months of use. */
import { PRESETS } from '../../src/core/access/capabilities.js'
import { randomText } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'
import { credit } from '../support/datasets.js'
import { newOrganisation } from '../support/service.js'
import { enterMember } from '../support/people.js'

const LONG_NAME =
  'Regional planning department, flood risk model of the northern river basins, nightly batch on server planning-07'

/** `minted` and `expires` are days from today, `ends` hours from now, `calls` those of a working day. */
type FilledKey = { name: string; minted: number; expires: number; ends?: number; calls: number }

/** The first is narrowed, and the fourth took the place of the third. */
const KEYS: readonly FilledKey[] = [
  { name: LONG_NAME, minted: -80, expires: 9, calls: 1250 },
  { name: 'Trial of the dashboard', minted: -2, expires: 88, calls: 0 },
  { name: 'Mobile app', minted: -60, expires: 30, ends: 20, calls: 9400 },
  { name: 'Mobile app', minted: -1, expires: 89, calls: 240 },
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
  const keyIds = KEYS.map(() => `key_${randomText(12)}`)
  const keys = KEYS.map((key, i) => ({ ...key, place: i, keyId: keyIds[i], from: i === 3 ? keyIds[2] : null }))
  for (const key of keys) {
    await db.rows(ENTER_KEY, [orgId, ada, JSON.stringify(key), [...PRESETS.locality]])
    if (key.calls > 0) await db.rows(ENTER_USE, [key.keyId, key.calls])
  }
  await credit(db, orgId, 5000)
  await db.rows(ENTER_CHARGES, [orgId, keyIds.slice(0, 3)])
  await db.rows(
    `insert into unknown_word (org_id, month, word, times)
     values ($1::text, date_trunc('month', ledger_clock() at time zone 'UTC')::date, 'unexceptionablenessesoftheland', 1)`,
    [orgId],
  )
  return { orgId, keyIds }
}

const ENTER_KEY = `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, datasets,
    created_at, expires_at, revoked_at, rolled_from, created_by)
  select "keyId", $1::text, sha256("keyId"::bytea), right("keyId", 4), name, $4::text[],
    case when place = 0 then array(select layer_id from dataset order by layer_id limit 3) end,
    clock_timestamp() + make_interval(days => minted), clock_timestamp() + make_interval(days => expires),
    clock_timestamp() + make_interval(hours => ends), "from", $2::text
  from json_to_record($3::text::json)
    as key ("keyId" text, "from" text, name text, place int, minted int, expires int, ends int)`

/** A few calls are refused, and many on a bad day a week ago. */
const ENTER_USE = `with seen as (insert into key_seen (key_id, seen_at) values ($1::text, clock_timestamp()))
  insert into key_use (key_id, day, call, outcome, bucket, calls, last_request_id)
  select $1::text, today - back, call, outcome, bucket, ceil($2::int * part), 'req_' || substr(md5(call || back), 1, 12)
  from (select (clock_timestamp() at time zone 'UTC')::date as today) as clock
  cross join generate_series(0, 13) as back
  cross join lateral (values
    ('/v1/frames/at', 'ok', '', 0.7),
    ('/v1/frames', 'not_modified', '', 0.08),
    ('/v1/frames/insight', 'worded', '', 0.02),
    ('/v1/frames/at', 'invalid_point', '', 0.02),
    ('/v1/frames/at', 'rate_limited', 'key', case when back = 7 then 0.4 else 0.01 end)
  ) as part (call, outcome, bucket, part)`

const ENTER_CHARGES = `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits, entered_at)
  select $1::text, 'req_' || substr(md5(n::text), 1, 16), 'dataset', layers[1 + n % 2],
    ($2::text[])[1 + n % 3], -(1 + n % 5), clock_timestamp() - n * interval '5 hours'
  from generate_series(30, 1, -1) as n
  cross join (select array(select layer_id from dataset order by layer_id limit 2) as layers) as known`
