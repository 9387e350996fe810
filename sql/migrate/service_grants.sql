-- service_grants: grants the role of the service its rights, where migrations/roles.sql has made the role.
select service_may(oid::regrole) as granted from pg_roles where rolname = 'frames_service'
