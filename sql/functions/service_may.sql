-- service_may: grants a role all that the running service needs.
-- "frames migrate" calls it for frames_service.
--   service  the role
-- Schema public may hold tables of others, which frames_owner cannot grant and frames_service does not need.
create or replace function service_may(service regrole) returns void
  language plpgsql as $$
declare
  ours regclass;
begin
  -- Without the lock, the second of two sessions that grant at once fails with "tuple concurrently updated".
  perform pg_advisory_xact_lock(4170002);
  execute format('grant usage on schema public to %s', service);
  for ours in
    select oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
      and relowner = (select relowner from pg_class where oid = 'public.organisation'::regclass)
      and relname <> all (people_tables())
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  loop
    execute format('grant select on %s to %s', ours, service);
  end loop;
  -- The service locks the row of an account; a trigger refuses to change its balance.
  execute format('grant update (balance) on account to %s', service);
  execute format('grant insert on credit_entry to %s', service);
  execute format('grant insert, delete on voided_call to %s', service);
  execute format('grant insert, update on worded_use to %s', service);
  execute format('grant insert, update, delete on worded_hold to %s', service);
  execute format('grant insert, update on key_use to %s', service);
  execute format('grant insert, update on key_seen to %s', service);
end $$;
comment on function service_may(regrole) is
  'Grants a role what the running service needs: to read everything but people and events, and to write what a call changes. "frames migrate" calls it for frames_service.';
revoke execute on function service_may from public;
