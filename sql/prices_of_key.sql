-- prices_of_key: which of some prices the credits of an organisation cover, and which the caps of a key let it spend.
--   $1 org     text   the organisation
--   $2 key     text   the key, or a person, who has none of these caps
--   $3 prices  int[]  credits
-- index: account_pkey
-- budget: buffers <= 24, rows read <= 2
-- example: 'org_000000000001', 'key_000000000001', '{2,3}'
-- The balance is text, since a number in JavaScript does not hold every bigint.
-- The example finds no row, since ids of organisations are random.
select
  account.balance::text as balance,
  prices_covered(account.balance, $3::int[]) as "byBalance",
  prices_covered(least(account.balance, caps.daily_credits, caps.monthly_credits), $3::int[]) as covered
from account
cross join lateral caps_left($1::text, $2::text) as caps
where account.org_id = $1::text
