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
  -- It writes no table of the ledger. A role that may update or delete rows may also lock out everybody else, unless it
  -- may update some columns only.
  execute format('grant execute on function call_charge(text, text, text, text[], int[]) to %s', service);
  execute format('grant execute on function walk_charge(text, text, text, text, text[], int[]) to %s', service);
  execute format('grant execute on function call_repeat(text, text, text, text) to %s', service);
  execute format('grant execute on function call_void(text, text, text) to %s', service);
  execute format('grant execute on function hold_open(text, text, text, int, int, int) to %s', service);
  execute format('grant execute on function hold_post(text, text, text) to %s', service);
  execute format('grant execute on function hold_release(text, text) to %s', service);
  execute format('grant execute on function hold_void(text, text, text) to %s', service);
  execute format('grant execute on function ledger_clean_up() to %s', service);
  -- The page of health looks at the views of analysts.
  execute format('grant execute on function analyst_names() to %s', service);
  execute format('grant insert, update (calls), update (last_request_id) on key_use to %s', service);
  execute format('grant insert, update (seen_at) on key_seen to %s', service);
  execute format('grant insert, update (times) on unknown_word to %s', service);
end $$;
comment on function service_may(regrole) is
  'Grants a role what the running service needs: to read everything but people and events, to change the ledger by its functions, and to count calls and words. "frames migrate" calls it for frames_service.';
revoke execute on function service_may from public;
