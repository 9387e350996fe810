-- Up Migration

-- Worded answers: how many an organisation had, and those that are being worded just now.

create function ledger_clock() returns timestamptz
  language sql volatile
  return clock_timestamp();
comment on function ledger_clock() is 'The instant that days and months are told from. Tests put another in its place.';

create function plain_number(value text) returns numeric
  language sql immutable parallel safe
  return case
    when btrim(value) ~ '^[+-]?(0|[1-9]\d{0,29})(\.\d{1,30})?([eE][+-]?\d{1,2})?$' then btrim(value)::numeric
  end;
comment on function plain_number(text) is 'The number that a value is written as; null for one that is not a plain decimal, such as 007, 1,000 or n/a.';

create table worded_use (
  org_id text constraint worded_use_org_id_fkey references organisation on delete cascade,
  day date,
  by_allowance int not null default 0 constraint by_allowance_not_negative check (by_allowance >= 0),
  by_credits int not null default 0 constraint by_credits_not_negative check (by_credits >= 0),
  constraint worded_use_pkey primary key (org_id, day)
);
comment on table worded_use is 'Worded answers that were returned, by organisation and day.';
comment on column worded_use.org_id is 'The organisation.';
comment on column worded_use.day is 'The day, UTC.';
comment on column worded_use.by_allowance is 'Answers that the monthly allowance covered.';
comment on column worded_use.by_credits is 'Answers that cost a credit each.';
comment on index worded_use_pkey is 'The days of an organisation.';

create table worded_hold (
  request_id text constraint worded_hold_pkey primary key,
  org_id text not null constraint worded_hold_org_id_fkey references organisation on delete cascade,
  day date not null,
  covered_by text not null constraint covered_by_known check (covered_by in ('allowance', 'credits')),
  expires_at timestamptz not null,
  posted boolean not null default false
);
create index worded_hold_org_id_idx on worded_hold (org_id);
comment on table worded_hold is 'Answers being worded: each holds its place until it is returned, fails, or expires.';
comment on column worded_hold.request_id is 'The call.';
comment on column worded_hold.org_id is 'The organisation.';
comment on column worded_hold.day is 'The day it counts for, UTC.';
comment on column worded_hold.covered_by is 'allowance, or credits: one credit is spoken for.';
comment on column worded_hold.expires_at is 'From this instant on it holds nothing: its process is gone.';
comment on column worded_hold.posted is 'True once the answer is counted: asked again, it is not counted again. The row goes when it expires.';
comment on index worded_hold_pkey is 'The hold of a call.';
comment on index worded_hold_org_id_idx is 'The holds of an organisation.';

create function service_may(service regrole) returns void
  language plpgsql as $$
begin
  -- Two that grant at once fail ("tuple concurrently updated"): the second waits.
  perform pg_advisory_xact_lock(4170002);
  execute format('grant usage on schema public to %s', service);
  execute format('grant select on all tables in schema public to %s', service);
  execute format('grant update (balance) on account to %s', service);
  execute format('grant insert on credit_entry to %s', service);
  execute format('grant insert, update on worded_use to %s', service);
  execute format('grant insert, update, delete on worded_hold to %s', service);
end $$;
comment on function service_may(regrole) is
  'Grants a role what the running service needs: to read everything, and to write what a call changes. "frames migrate" calls it for frames_service.';
