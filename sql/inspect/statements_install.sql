-- statements_install: the lines that install pg_stat_statements on this server.
-- ALTER SYSTEM needs a text for each library: one text with all of them keeps the server from starting. Only
-- superusers and members of pg_read_all_settings see shared_preload_libraries.
with server as (  -- one row: the state of the extension, and the rights of the caller
  select exists (select from pg_available_extensions where name = 'pg_stat_statements') as is_available,
    -- its settings are known once its library is loaded
    exists (select from pg_settings where name = 'pg_stat_statements.max') as is_loaded,
    (select setting from pg_settings where name = 'shared_preload_libraries') as libraries,
    (select source from pg_settings where name = 'shared_preload_libraries') as source,
    (select rolsuper from pg_roles where rolname = current_user) as is_superuser
), listed as (  -- the libraries there are, and this one after them, each quoted
  select string_agg(quote_literal(btrim(library, ' "')), ', ' order by place) as libraries
  from server
  cross join lateral unnest(string_to_array(server.libraries, ',') || 'pg_stat_statements'::text) with ordinality as part (library, place)
  where btrim(library, ' "') <> ''
)
select case
    when not is_available then '-- Install the package of PostgreSQL that has pg_stat_statements (often postgresql-contrib) on the server first.'
    else case when is_superuser then '' else E'-- A superuser does this:\n' end
      || case
        when is_loaded then ''
        when server.libraries is null then
          E'-- Add pg_stat_statements to what "show shared_preload_libraries" lists, and start PostgreSQL again; then\n'
        when source in ('command line', 'environment variable') then
          format(E'-- Where the server is started, set shared_preload_libraries to %s, and start it again; then\n', listed.libraries)
        else format(E'alter system set shared_preload_libraries = %s;\n-- start PostgreSQL again, then\n', listed.libraries)
      end
      || 'create extension pg_stat_statements;'
  end as lines
from server, listed
