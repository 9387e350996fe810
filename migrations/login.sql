-- The login of one analyst: it reads what frames_analyst reads, and has a schema of its name for tables of its own.
-- A superuser runs this file for each login, after roles.sql, and again after every restore:
--
--   LOGIN_PASSWORD=... psql -X -d frames -v login=ada -f migrations/login.sql
--
-- Without a password in the environment, the login keeps its password, or logs in as pg_hba.conf allows.
\set ON_ERROR_STOP on
\set QUIET on
\set VERBOSITY terse
\if :{?login}
\else
do $$ begin raise exception 'Name the login: -v login=ada'; end $$;
\endif
set client_min_messages = warning;
begin;
-- Refuses a name that is that of something else.
select format('do $do$ begin raise exception %L; end $do$', format('%s is a %s already: choose another name.', :'login', kind))
from (
  select 'role' as kind
  where to_regrole(quote_ident(:'login')) is not null and not exists (
    select from pg_auth_members where member = to_regrole(quote_ident(:'login')) and roleid = 'frames_analyst'::regrole
  )
  union all
  select 'schema' from pg_namespace where nspname = :'login' and nspowner is distinct from to_regrole(quote_ident(:'login'))
) as other \gexec
select format('create role %I login', :'login') where to_regrole(quote_ident(:'login')) is null \gexec
\getenv login_password LOGIN_PASSWORD
\if :{?login_password}
alter role :"login" password :'login_password';
\endif
grant frames_analyst to :"login";
-- A member gets the rights of a role, and none of its settings. Tables of its own come first, and may be written to.
select format('alter role %I set %s = %L', :'login', split_part(pair, '=', 1), substring(pair from '=(.*)'))
from pg_db_role_setting
cross join unnest(setconfig) as pair
where setrole = 'frames_analyst'::regrole and setdatabase = 0 and pair !~ '^(search_path|default_transaction_read_only)=' \gexec
alter role :"login" set search_path = "$user", analyst, public;
alter role :"login" connection limit 10;
select format('grant temporary on database %I to %I', current_database(), :'login') \gexec
create schema if not exists :"login" authorization :"login";
-- The owner of the index backs up what the login makes, and drops a view that stands in the way of an import.
grant :"login" to frames_owner;
commit;
\echo 'The login' :'login' 'is ready.'
