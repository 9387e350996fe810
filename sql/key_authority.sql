-- key_authority: the rights that each secret has at this moment; no row for one that is unknown, expired or revoked.
--   $1 hashes  text[]  SHA-256 of each secret, in hex
-- index: api_key_secret_hash_key, organisation_pkey
-- budget: buffers <= 3 + 9 * hashes, rows read <= 2 * hashes
-- example: '{0000000000000000000000000000000000000000000000000000000000000000}'
-- clock_timestamp(), since now() stands still in a transaction. revoked_for_good holds also where the clock goes back.
-- The example finds no row, since secrets are random.
-- null: datasets
with asked as (  -- one row for each secret, with its place among $1
  select decode(hex, 'hex') as hash, place
  from unnest($1::text[]) with ordinality as secret (hex, place)
)
select
  asked.place::int as place,
  api_key.key_id as "keyId",
  api_key.org_id as "orgId",
  held.plan as plan,
  api_key.capabilities as capabilities,
  api_key.datasets as datasets
from asked
join api_key on api_key.secret_hash = asked.hash
-- the organisation of each key: as a join it may be read first, and all keys once for each
cross join lateral (select plan from organisation where organisation.org_id = api_key.org_id limit 1) as held
where api_key.expires_at > clock_timestamp()
  and not api_key.revoked_for_good and (api_key.revoked_at is null or api_key.revoked_at > clock_timestamp())
