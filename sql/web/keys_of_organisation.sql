-- keys_of_organisation: the keys of an organisation: usable ones first, the soonest to end on top, then the others, the last to end on top.
--   $1 org_id  text
-- index: api_key_org_id_idx, api_key_rolled_from_idx, credit_entry_key_id_idx, key_seen_pkey, person_pkey
-- budget: buffers <= 20 + 20 * rows, rows read <= 12 * rows
-- example: 'org_000000000000'
-- The example finds no row, since ids are random.
-- null: datasets, dailyCredits, monthlyCredits, dailyWords, monthlyWords, mintedBy, revokedAt, rolledFrom, rolledTo, seenAt
with own as (  -- one row for each key, with the instant at which it ends
  select api_key.*, ends_at, ends_at > clock_timestamp() and not revoked_for_good as is_usable
  from (select key_id, org_id, last_four, name, capabilities, datasets, daily_credits, monthly_credits, daily_words, monthly_words, created_at, expires_at, revoked_at, revoked_for_good, rolled_from, created_by from api_key) as api_key
  cross join lateral (select least(api_key.expires_at, api_key.revoked_at)) as ending (ends_at)
  where api_key.org_id = $1
)
select
  own.key_id as "keyId",
  own.name as name,
  own.last_four as "lastFour",
  own.capabilities as capabilities,
  own.datasets as datasets,
  own.daily_credits as "dailyCredits",
  own.monthly_credits as "monthlyCredits",
  own.daily_words as "dailyWords",
  own.monthly_words as "monthlyWords",
  own.created_at as "mintedAt",
  minter.name as "mintedBy",
  own.expires_at as "expiresAt",
  own.revoked_at as "revokedAt",
  own.ends_at as "endsAt",
  own.is_usable as "isUsable",
  own.rolled_from as "rolledFrom",
  successor.key_id as "rolledTo",
  key_seen.seen_at as "seenAt",
  coalesce(charged.is_known, false) as "wasCharged"
from own
left join person as minter on minter.person_id = own.created_by
left join lateral (
  -- "offset 0" keeps the planner from reading the successors of all organisations
  select api_key.key_id from api_key where api_key.rolled_from = own.key_id offset 0
) as successor on true
left join key_seen on key_seen.key_id = own.key_id
left join lateral (
  -- the ledger knows of calls whose counts were lost; the order keeps the planner from reading all of it
  select true as is_known from credit_entry where credit_entry.key_id = own.key_id order by credit_entry.entered_at limit 1
) as charged on true
order by
  own.is_usable desc,
  case when own.is_usable then own.ends_at end,
  own.ends_at desc,
  own.key_id
