-- account_balance: the credits that an organisation has.
--   $1 org  text  its id
-- index: account_pkey
-- budget: buffers <= 3, rows read <= 1
-- example: 'org_000000000001'
-- The balance is text, since a number in JavaScript does not hold every bigint.
-- The example finds no row, since ids of organisations are random.
select account.balance::text as balance
from account
where account.org_id = $1::text
