-- row_security: tables whose rows row security hides from the service.
select 'wrong' as severity,
  'Row security is on for ' || oid::regclass || ': frames_service sees the rows that a policy shows, or none.' as what,
  format(E'alter table %s no force row level security;\nalter table %1$s disable row level security;', oid::regclass) as fix
from pg_class
where relnamespace = 'public'::regnamespace and (relrowsecurity or relforcerowsecurity)
