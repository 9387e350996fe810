-- credits_left_today: the credits that a person may still spend today, UTC; null where no owner has set a limit.
--   org, person  the membership
-- A refund of today gives its credits back.
create or replace function credits_left_today(org text, person text) returns bigint
  language sql stable as $$
  select greatest(membership.daily_credits + coalesce(spent.credits, 0), 0)
  from membership
  cross join lateral (
    -- charges are negative
    select sum(credit_entry.credits) as credits
    from credit_entry
    where credit_entry.key_id = person and credit_entry.org_id = org
      -- asked once, so that an index takes it
      and credit_entry.entered_at >= (select date_trunc('day', ledger_clock() at time zone 'UTC') at time zone 'UTC')
  ) as spent
  where membership.org_id = org and membership.person_id = person and membership.daily_credits is not null
$$;
comment on function credits_left_today(text, text) is
  'The credits that a person may still spend today, UTC; null where no owner has set a limit.';
