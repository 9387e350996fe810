-- indexes_missing: indexes that the migrations make and this database lacks, or has otherwise.
--   $1 names        text[]
--   $2 tables       text[]
--   $3 definitions  text[]  as pg_get_indexdef or pg_get_constraintdef writes them
--   $4 mends        text[]  the very statements of the migrations
--   $5 undoing      text[]  what removes one that is otherwise
-- PostgreSQL writes expressions and conditions in words of its own: such indexes are known by name alone.
with expected as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as each (name, on_table, definition, mend, undoing)
), present as (
  select indexrelid::regclass::text as name,
    indexprs is not null or indpred is not null as is_special,
    lower(replace(replace(coalesce(pg_get_constraintdef(pg_constraint.oid), pg_get_indexdef(indexrelid)), 'public.', ''), ' USING btree', ''))
      as definition
  from pg_index
  left join pg_constraint on conindid = indexrelid and contype in ('p', 'u', 'x')
)
select 'wrong' as severity,
  case
    when present.name is null then 'Index ' || expected.name || ' of ' || on_table || ' is missing.'
    else 'Index ' || expected.name || ' is otherwise than made: ' || present.definition
  end as what,
  case when present.name is null then mend else undoing || E'\n' || mend end as mend
from expected
left join present on present.name = expected.name
where present.name is null or (present.definition <> expected.definition and not is_special)
