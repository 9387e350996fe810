-- analyst_grants: grants the role of analysts its rights, where migrations/roles.sql has made the role.
select analyst_may(oid::regrole) as granted from pg_roles where rolname = 'frames_analyst'
