-- change_balance: the trigger function that adds new entries to the balances.
-- It is the only way in which the service changes a balance, since it runs with the rights of the owner. The update
-- locks the row of the account first, so the checks below it see all that was decided before.
create or replace function change_balance() returns trigger
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
      -- An operator settles an older charge: a person who has the password of the service cannot refund everything.
      and (charge.entered_at > clock_timestamp() - interval '1 day' or is_of_owner)
  ) limit 1;
  if found then
    raise exception 'call % was not charged this within the last day, so it is not given back', wrong;
  end if;
  return null;
end $$;
comment on function change_balance() is
  'Adds new entries to the balances. Refuses a charge of a call that failed, and a refund that is not that of a charge of the last day.';
revoke execute on function change_balance from public;
