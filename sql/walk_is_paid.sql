-- walk_is_paid: whether a key has paid for a walk over items, as walk_charge decides it.
--   $1 org   text  the organisation of the key
--   $2 key   text  the key
--   $3 walk  text  what it reads
-- index: paid_walk_pkey
-- budget: buffers <= 3, rows read <= 1
-- example: 'org_000000000001', 'key_000000000001', 'walk'
-- The example finds no walk, since ids are random.
select exists (
  select from paid_walk
  where org_id = $1::text and key_id = $2::text and walk = $3::text and paid_at > ledger_clock() - interval '1 hour'
) as "isPaid"
