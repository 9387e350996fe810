-- The four roles of a production database: frames_owner migrates, loads and mints; frames_service answers calls;
-- frames_console serves the web app; frames_analyst reads schema "analyst", from QGIS or psql.
-- A superuser runs this file in the database that is to hold the index, before "frames migrate" or after, and again after
-- every restore: a dump holds neither who may connect to the database nor how sessions of these roles are set.
--
--   OWNER_PASSWORD=... SERVICE_PASSWORD=... CONSOLE_PASSWORD=... ANALYST_PASSWORD=... \
--     psql -X -d frames -f migrations/roles.sql
--
-- Without a password in the environment, the role has none and logs in as pg_hba.conf allows.
\set ON_ERROR_STOP on
\set QUIET on
set client_min_messages = warning;
begin;
select 'create role ' || name || ' login'
from unnest(array['frames_owner', 'frames_service', 'frames_console', 'frames_analyst']) as name
where to_regrole(name) is null \gexec
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
\getenv console_password CONSOLE_PASSWORD
\getenv analyst_password ANALYST_PASSWORD
\if :{?owner_password}
alter role frames_owner password :'owner_password';
\endif
\if :{?service_password}
alter role frames_service password :'service_password';
\endif
\if :{?console_password}
alter role frames_console password :'console_password';
\endif
\if :{?analyst_password}
alter role frames_analyst password :'analyst_password';
\endif

-- A statement of the service or of the web app that nobody waits for any more ends by itself.
alter role frames_service set statement_timeout = '15s';
alter role frames_service set idle_in_transaction_session_timeout = '15s';
alter role frames_console set statement_timeout = '15s';
alter role frames_console set idle_in_transaction_session_timeout = '15s';

-- An analyst may take longer, but a new index waits for those who read the old one. A session may set these anew: they
-- are defaults. The number of connections is a limit.
alter role frames_analyst connection limit 20;
alter role frames_analyst set statement_timeout = '2min';
alter role frames_analyst set idle_in_transaction_session_timeout = '5min';
alter role frames_analyst set default_transaction_read_only = on;
alter role frames_analyst set search_path = analyst, public;
-- Compiling a statement takes longer than running it: frames near the clinics of an LGA take 1.2 s with it, not 0.1 s.
alter role frames_analyst set jit = off;

-- PostGIS may be made by a superuser only.
create extension if not exists postgis;
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to frames_service, frames_console, frames_analyst', current_database()) \gexec
-- An import makes the new index in a schema of its own.
select format('grant connect, create, temporary on database %I to frames_owner', current_database()) \gexec
-- PostgreSQL lets everyone make large objects, which fill the disk, and hold any lock of a number, such as that of
-- "migrate". A provider that keeps these functions to itself leaves them so, and "frames doctor" says it.
select format('revoke execute on function %s from public; %s', pg_proc.oid::regprocedure,
  case when proname like '%lock%' then format('grant execute on function %s to frames_owner, frames_service', pg_proc.oid::regprocedure) end)
from pg_proc
where pronamespace = 'pg_catalog'::regnamespace and pg_has_role(proowner, 'USAGE')
  and proname ~ '^(lo_creat|lo_create|lo_from_bytea|lo_put|lowrite|pg_(try_)?advisory_(xact_)?lock(_shared)?)$' \gexec
grant usage, create on schema public to frames_owner;
alter schema public owner to frames_owner;

-- Another role, usually a superuser, may have migrated or restored the tables: all that the owner of table "migration"
-- owns goes to frames_owner. The objects of PostGIS stay as they are, and the sequence of a column follows its table.
create temporary view handed_over as
select relowner as from_owner, 'pg_class'::regclass as catalogue, pg_class.oid as object, nspname,
  case relkind when 'v' then 'view ' when 'S' then 'sequence ' else 'table ' end || pg_class.oid::regclass as name
from pg_class
join pg_namespace on pg_namespace.oid = relnamespace
where relkind in ('r', 'v', 'S')
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and refobjsubid > 0 and deptype in ('a', 'i'))
union all
select proowner, 'pg_proc'::regclass, pg_proc.oid, nspname, 'routine ' || pg_proc.oid::regprocedure
from pg_proc
join pg_namespace on pg_namespace.oid = pronamespace;
select format('alter %s owner to frames_owner', name)
from handed_over
where nspname in ('public', 'analyst') and from_owner <> 'frames_owner'::regrole
  and from_owner = (select relowner from pg_class where oid = to_regclass('public.migration'))
  and not exists (select from pg_depend where classid = catalogue and objid = object and deptype = 'e') \gexec
drop view handed_over;
select 'alter schema analyst owner to frames_owner' where to_regnamespace('analyst') is not null \gexec
select 'select service_may(''frames_service'')' where to_regprocedure('service_may(regrole)') is not null \gexec
select 'select console_may(''frames_console'')' where to_regprocedure('console_may(regrole)') is not null \gexec
select 'select analyst_may(''frames_analyst'')' where to_regprocedure('analyst_may(regrole)') is not null \gexec
commit;
\echo 'The roles frames_owner, frames_service, frames_console and frames_analyst are ready.'
