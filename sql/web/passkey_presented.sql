-- passkey_presented: the public key of a passkey and its person; no row for one that was removed.
--   $1 credential_id  text
-- index: passkey_pkey
-- budget: buffers <= 8, rows read <= 2
-- example: 'AAAA'
-- The example finds no row, since passkeys are random.
select
  person_id as "personId",
  public_key as "publicKey",
  counter as counter,
  transports as transports
from passkey
where credential_id = $1
