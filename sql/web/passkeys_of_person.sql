-- passkeys_of_person: the passkeys of a person, the newest first.
--   $1 person_id  text
-- index: passkey_person_id_idx
-- budget: buffers <= 20, rows read <= 20
-- example: 'per_000000000000'
-- The example finds no row, since ids are random.
-- null: usedAt
select
  credential_id as "credentialId",
  name as name,
  transports as transports,
  created_at as "createdAt",
  used_at as "usedAt"
from passkey
where person_id = $1
order by created_at desc, credential_id
