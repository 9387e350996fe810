-- key_described: what a key is called, when it ends, whose it is, and what its organisation has left to spend.
--   $1 key  text  its id
-- index: account_pkey, api_key_pkey, organisation_pkey
-- budget: buffers <= 36, rows read <= 40
-- example: 'key_000000000001'
-- null: dailyCredits, monthlyCredits, dailyWords, monthlyWords, dailyCreditsLeft, monthlyCreditsLeft, dailyWordsLeft, monthlyWordsLeft
-- A month has a row of answers for each day.
-- The example finds no row, since ids of keys are random.
with today as (  -- one row: the day by the clock that counts answers
  select (ledger_clock() at time zone 'UTC')::date as day
)
select
  api_key.name as name,
  api_key.last_four as "lastFour",
  least(api_key.expires_at, api_key.revoked_at) as "endsAt",
  organisation.name as organisation,
  account.balance::float8 as credits,
  api_key.daily_credits as "dailyCredits",
  api_key.monthly_credits as "monthlyCredits",
  api_key.daily_words as "dailyWords",
  api_key.monthly_words as "monthlyWords",
  caps.daily_credits::float8 as "dailyCreditsLeft",
  caps.monthly_credits::float8 as "monthlyCreditsLeft",
  caps.daily_words::float8 as "dailyWordsLeft",
  caps.monthly_words::float8 as "monthlyWordsLeft",
  used.by_allowance::float8 as "wordedByAllowance",
  used.on_day::float8 as "wordedToday"
from api_key
cross join today
cross join lateral caps_left(api_key.org_id, api_key.key_id) as caps
join organisation on organisation.org_id = api_key.org_id
join account on account.org_id = api_key.org_id
cross join lateral (
  -- zeros where nothing was worded
  select
    coalesce(sum(worded_use.by_allowance), 0) as by_allowance,
    coalesce(sum(worded_use.by_allowance + worded_use.by_credits) filter (where worded_use.day = today.day), 0) as on_day
  from worded_use
  where worded_use.org_id = api_key.org_id and worded_use.day >= date_trunc('month', today.day)::date
) as used
where api_key.key_id = $1::text
