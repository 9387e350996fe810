-- key_authority: what each secret may do at this moment; no row for a secret that is unknown, expired or revoked.
--   $1 hashes  text[]  SHA-256 of each secret, in hex
-- index: api_key_secret_hash_key, organisation_pkey
-- budget: buffers <= 3 + 9 * hashes, rows read <= 2 * hashes
-- clock_timestamp() and not now(): a key ends at its instant, also inside a transaction begun before.
with asked as (
  select decode(hex, 'hex') as hash, place
  from unnest($1::text[]) with ordinality as secret (hex, place)
)
select
  asked.place::int as place,
  api_key.key_id as "keyId",
  api_key.org_id as "orgId",
  organisation.plan as plan,
  api_key.capabilities as capabilities,
  api_key.datasets as datasets
from asked
join api_key on api_key.secret_hash = asked.hash
join organisation using (org_id)
where api_key.expires_at > clock_timestamp() and (api_key.revoked_at is null or api_key.revoked_at > clock_timestamp())
