-- analyst_grants: lets each role that may use schema analyst read all its views.
-- Views that were made since are not granted otherwise.
create or replace function analyst_grants() returns void
  language plpgsql as $$
declare
  reader regrole;
begin
  for reader in
    select grantee from pg_namespace cross join lateral aclexplode(nspacl)
    where nspname = 'analyst' and privilege_type = 'USAGE' and grantee not in (nspowner, 0)
  loop
    execute format('grant select on all tables in schema analyst to %s', reader);
  end loop;
end $$;
comment on function analyst_grants() is 'Lets whoever may use schema analyst read all its views, also those that were made since.';
revoke execute on function analyst_grants from public;
