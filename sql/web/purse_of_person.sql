-- purse_of_person: the credits of an organisation, and how many of them a person may still spend today, UTC.
--   $1 org_id     text
--   $2 person_id  text
-- index: account_pkey
-- budget: buffers <= 60, rows read <= 10000
-- example: 'org_000000000000', 'per_000000000000'
-- The example finds no row, since ids are random.
-- The number for today is null where no owner has set a limit.
-- null: leftToday
select
  account.balance::float8 as balance,
  credits_left_today($1::text, $2::text)::float8 as "leftToday"
from account
where account.org_id = $1::text
