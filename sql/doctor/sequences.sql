-- sequences: sequences whose next number some row already has, as a restore in parts leaves them.
-- index: baseline_row_pkey, feature_pkey, feature_frame_pkey
with numbered as (  -- one row per sequence of a column, and the highest number in that column
  select seq.oid, case when has_table_privilege(attrelid, 'SELECT') then (xpath('/row/max/text()',
      query_to_xml(format('select max(%I) from %s', attname, attrelid::regclass), false, true, '')))[1]::text::bigint end as highest
  from pg_class as seq
  join pg_depend on classid = 'pg_class'::regclass and objid = seq.oid and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
  join pg_attribute on attrelid = refobjid and attnum = refobjsubid
  where seq.relkind = 'S' and seq.relnamespace = 'public'::regnamespace
  union all
  -- rows of an import that no dataset has any more count too
  select to_regclass('public.dataset_version'), greatest((select max(version) from baseline_row),
    (select max(version) from feature), (select max(version) from feature_frame))
), known as (  -- one row per sequence, with the highest number in use
  select oid, max(highest) as highest from numbered where oid is not null group by oid
)
select 'unchecked' as severity, 'This role may not read the sequences; their owner may.' as what, '' as fix
where exists (select from known where not has_sequence_privilege(oid, 'SELECT'))
union all
select 'wrong' as severity,
  'Sequence ' || oid::regclass || ' is at ' || coalesce(last_value::text, 'its start') || ', there is a row of ' || highest || ' already.' as what,
  format('select setval(%L, %s);', oid::regclass::text, highest) as fix
from known
cross join lateral (
  select last_value from pg_sequences
  where schemaname = 'public' and sequencename = (select relname from pg_class where pg_class.oid = known.oid)
) as at
where has_sequence_privilege(oid, 'SELECT') and highest > coalesce(last_value, 0)
