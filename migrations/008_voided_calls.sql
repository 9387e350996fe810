-- Up Migration

-- Charges that outlive their call are given back, and the database itself keeps the accounts: whoever has the password of the
-- service cannot raise credits.
-- The indexes are of two small tables, and the migration is all or nothing.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion

-- How a figure was made, for an answer's sources.
alter table attribute add column method text;
comment on column attribute.method is 'How its values were made, such as modelled estimate, where recorded.';

-- The transaction of a call can commit after the call has failed. Whoever decides that a call failed adds a row here under the
-- lock of the account: a charge that comes later is refused, and one that came before is given back with it.
create table voided_call (
  org_id text constraint voided_call_org_id_fkey references organisation on delete cascade,
  request_id text,
  voided_at timestamptz not null default clock_timestamp(),
  constraint voided_call_pkey primary key (org_id, request_id)
);
create index voided_call_voided_at_idx on voided_call (voided_at);
comment on table voided_call is 'Calls that failed after they asked to be charged: they are charged nothing, however late the charge comes.';
comment on column voided_call.org_id is 'The organisation that is charged nothing.';
comment on column voided_call.request_id is 'The call, as its X-Request-Id said.';
comment on column voided_call.voided_at is 'When this was decided. The service removes the row a day later.';
comment on index voided_call_pkey is 'The decision on a call.';
comment on index voided_call_voided_at_idx is 'Rows that are old enough to be removed.';

-- A worded answer can be given back for a day. Its hold stays that long, and the next question reads the open holds alone.
create index worded_hold_open_idx on worded_hold (org_id) where not posted;
comment on index worded_hold_open_idx is 'Answers of an organisation that are being worded.';
drop index worded_hold_org_id_idx;
create index worded_hold_expires_at_idx on worded_hold (expires_at);
comment on index worded_hold_expires_at_idx is 'Holds that are old enough to be removed.';
comment on table worded_hold is
  'Answers being worded: each holds its place until it is returned, fails, or expires. Answers that were returned stay for a day.';
comment on column worded_hold.posted is
  'True once the answer is counted: asked again, it is not counted again. The service removes the row a day after it expired.';

-- A worded answer that nobody received is given back: a refund without a dataset.
alter table credit_entry drop constraint charges_name_what_for;
-- squawk-ignore constraint-missing-not-valid
alter table credit_entry add constraint charges_name_what_for
  check (kind = 'refund' or (kind in ('top_up', 'worded')) = (ref = ''));
comment on column credit_entry.kind is
  'top_up: added by an operator; dataset: spent on a dataset that is licensed per query; worded: spent on a worded answer; refund: one of these two given back.';
comment on column credit_entry.ref is 'The dataset; blank for a top_up, a worded answer, and the refund of a worded answer.';

create function refuse_all_but_owner() returns trigger
  language plpgsql as $$
begin
  if not pg_has_role(current_user, (select relowner from pg_catalog.pg_class where oid = tg_relid), 'member') then
    raise exception 'only the owner of table % may do this', tg_table_name
      using errcode = 'insufficient_privilege', hint = 'Credits are added by "frames orgs credit", as the owner of the database.';
  end if;
  return new;
end $$;
comment on function refuse_all_but_owner() is 'Keeps what a grant cannot tell apart to the owner of the table.';

create trigger credit_entry_top_up_by_owner
  before insert on credit_entry
  for each row when (new.kind = 'top_up') execute function refuse_all_but_owner();
comment on trigger credit_entry_top_up_by_owner on credit_entry is 'The service takes credits and gives them back; it adds none.';

create trigger account_balance_by_entries
  before update of balance on account
  for each row when (new.balance is distinct from old.balance) execute function refuse_all_but_owner();
comment on trigger account_balance_by_entries on account is
  'The service may lock an account; its balance changes with the entries, by trigger credit_entry_changes_balance.';

-- With the rights of the owner: the one way in which the service changes a balance. The row of the account is locked by the
-- update, so that what follows it sees whatever was decided before.
create function change_balance() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  is_of_owner boolean := pg_has_role(session_user, (select relowner from pg_catalog.pg_class where oid = tg_relid), 'member');
  wrong text;
begin
  update account set balance = balance + change.credits
  from (select org_id, sum(credits) as credits from added group by org_id) as change
  where account.org_id = change.org_id;

  select added.request_id into wrong
  from added
  join voided_call using (org_id, request_id)
  where added.kind = 'dataset' limit 1;
  if found then
    raise exception 'call % has failed and is charged nothing', wrong;
  end if;

  select added.request_id into wrong
  from added
  where added.kind = 'refund' and not exists (
    select from credit_entry as charge
    where charge.org_id = added.org_id and charge.request_id = added.request_id and charge.ref = added.ref
      and charge.kind in ('dataset', 'worded') and charge.credits = -added.credits
      -- What is older is settled by an operator: whoever has the password of the service cannot give everything back.
      and (charge.entered_at > clock_timestamp() - interval '1 day' or is_of_owner)
  ) limit 1;
  if found then
    raise exception 'call % was not charged this within the last day, so it is not given back', wrong;
  end if;
  return null;
end $$;
comment on function change_balance() is
  'Adds new entries to the balances. Refuses a charge of a call that failed, and a refund that is not that of a charge of the last day.';

create trigger credit_entry_changes_balance
  after insert on credit_entry
  referencing new table as added
  for each statement execute function change_balance();
comment on trigger credit_entry_changes_balance on credit_entry is 'A balance is the sum of its entries, whoever adds one.';

revoke execute on function change_balance(), refuse_all_but_owner() from public;

create or replace function service_may(service regrole) returns void
  language plpgsql as $$
begin
  -- Two that grant at once fail ("tuple concurrently updated"): the second waits.
  perform pg_advisory_xact_lock(4170002);
  execute format('grant usage on schema public to %s', service);
  execute format('grant select on all tables in schema public to %s', service);
  -- For its lock: a trigger keeps the balance to what the entries say.
  execute format('grant update (balance) on account to %s', service);
  execute format('grant insert on credit_entry to %s', service);
  execute format('grant insert, delete on voided_call to %s', service);
  execute format('grant insert, update on worded_use to %s', service);
  execute format('grant insert, update, delete on worded_hold to %s', service);
end $$;
