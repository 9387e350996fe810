-- analyst_grants: lets each role that may use schema analyst read the views that the program makes there.
-- Views that were made since are not granted otherwise. A view of somebody else is granted by whoever made it.
create or replace function analyst_grants() returns void
  language plpgsql as $$
declare
  reader regrole;
  views text := (
    select string_agg(pg_class.oid::regclass::text, ', ') from pg_class
    where relnamespace = 'analyst'::regnamespace and relkind = 'v' and relname in (select analyst_names()) and pg_has_role(relowner, 'USAGE')
  );
begin
  for reader in
    select grantee from pg_namespace cross join lateral aclexplode(nspacl)
    where nspname = 'analyst' and privilege_type = 'USAGE' and grantee not in (nspowner, 0)
  loop
    execute format('grant select on %s to %s', views, reader);
  end loop;
end $$;
comment on function analyst_grants() is 'Lets whoever may use schema analyst read the views of the program, also those that were made since.';
revoke execute on function analyst_grants from public;
