-- worded_answers_now: an organisation's worded answers of this month and of today.
--   $1 org_id  text
-- index: organisation_pkey, worded_use_pkey
-- budget: buffers <= 40, rows read <= 40
-- example: 'org_000000000000'
-- The example finds no row, since ids are random.
-- The ledger's clock says which month and day it is, as it does where answers are counted.
with today as (  -- one row
  select (ledger_clock() at time zone 'UTC')::date as day
)
select
  organisation.plan as plan,
  used.by_allowance::float8 as "byAllowance",
  used.by_credits::float8 as "byCredits",
  used.on_day::float8 as "today"
from organisation
cross join today
cross join lateral (
  -- zeros where nothing was worded
  select
    coalesce(sum(worded_use.by_allowance), 0) as by_allowance,
    coalesce(sum(worded_use.by_credits), 0) as by_credits,
    coalesce(sum(worded_use.by_allowance + worded_use.by_credits) filter (where worded_use.day = today.day), 0) as on_day
  from worded_use
  where worded_use.org_id = organisation.org_id and worded_use.day >= date_trunc('month', today.day)::date
) as used
where organisation.org_id = $1::text
