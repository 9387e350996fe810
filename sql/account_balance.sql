-- account_balance: the credits that an organisation has.
--   $1 org  text  its id
-- index: account_pkey
-- budget: buffers <= 3, rows read <= 1
-- As text: a balance is a bigint.
select account.balance::text as balance
from account
where account.org_id = $1::text
