-- membership_keeps_owner: the trigger function that refuses to leave an organisation without an owner.
-- It locks the row of the organisation and then looks: the second of two transactions that each remove an owner waits
-- for the first, and sees its change. The lock lets others reference the row. Under REPEATABLE READ a transaction would
-- not see that change, so it is refused. An organisation that is deleted needs no owner.
create or replace function membership_keeps_owner() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from organisation where org_id = old.org_id for no key update;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'an owner changes under READ COMMITTED only' using errcode = 'active_sql_transaction';
  end if;
  if not exists (select from membership where org_id = old.org_id and role = 'owner') then
    raise exception 'organisation % keeps its last owner', old.org_id
      using errcode = 'restrict_violation', table = 'membership', constraint = 'membership_keeps_owner',
        hint = 'Make another member an owner first.';
  end if;
  return null;
end $$;
comment on function membership_keeps_owner() is 'Refuses to leave an organisation without an owner.';
revoke execute on function membership_keeps_owner from public;
