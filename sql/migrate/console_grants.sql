-- console_grants: grants the role of the web app its rights, where migrations/roles.sql has made the role.
select console_may(oid::regrole) as granted from pg_roles where rolname = 'frames_console'
