-- unlogged: tables and sequences that a crash empties and that no replica has.
-- PostgreSQL logs a table only after the tables that it refers to, so those come first.
select 'wrong' as severity,
  case relkind when 'S' then 'Sequence ' else 'Table ' end || pg_class.oid::regclass || ' is unlogged: a crash empties it, and no replica has it.' as what,
  case relkind when 'S' then 'alter sequence ' else 'alter table ' end || pg_class.oid::regclass || ' set logged;' as fix
from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relpersistence = 'u'
  -- the sequence of a column follows its table
  and not exists (
    select from pg_depend
    join pg_class as of_table on of_table.oid = refobjid
    where objid = pg_class.oid and deptype in ('a', 'i') and pg_class.relkind = 'S' and of_table.relpersistence = 'u'
  )
order by (select count(*) from pg_constraint where conrelid = pg_class.oid and contype = 'f'), pg_class.oid::regclass::text
