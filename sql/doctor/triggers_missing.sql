-- triggers_missing: triggers that the migrations make and this database lacks, or has switched off: they keep the ledger append-only.
--   $1 names   text[]
--   $2 tables  text[]
--   $3 mends   text[]  the very statements of the migrations
select 'wrong' as severity,
  'Trigger ' || name || ' of ' || on_table || case when pg_trigger.oid is null then ' is missing.' else ' is switched off.' end as what,
  case when pg_trigger.oid is null then mend else 'alter table ' || on_table || ' enable trigger ' || name || ';' end as mend
from unnest($1::text[], $2::text[], $3::text[]) as expected (name, on_table, mend)
left join pg_trigger on tgname = name and tgrelid = to_regclass(on_table)
where pg_trigger.oid is null or tgenabled not in ('O', 'A')
