-- statements_slowest: the statements of this program that took the most time in this database, as this role.
--   $1 most      int
--   $2 left_out  text[]  names of statements
-- example: 20, '{versions}'
-- A text that begins with no name of a statement is of others, and may hold a password: it is left out.
with named as (  -- one row for each statement and kind of plan, with its file, or its function of src/
  select substring(query from '^-- (src/[\w/.-]+: \w+|\w+)') as name, calls, rows, total_exec_time, max_exec_time
  from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())
    and userid = (select oid from pg_roles where rolname = current_user)
)
select
  name as name,
  sum(calls)::float8 as calls,
  sum(rows)::float8 as rows,
  sum(total_exec_time)::float8 as "totalMs",
  max(max_exec_time)::float8 as "longestMs",
  (select stats_reset from pg_stat_statements_info) as since
from named
where name is not null and name <> all ($2::text[]) and calls > 0
group by name
order by sum(total_exec_time) desc, name
limit $1::int
