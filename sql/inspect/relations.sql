-- relations: the indexes, valid and invalid, and the tables of over 50 pages without statistics ("bare").
-- An index is invalid where "create index concurrently" broke off: PostgreSQL writes to it and never reads it.
select
  relname as name,
  case when relkind = 'r' then 'bare' when indisvalid then 'index' else 'invalid' end as kind
from pg_class
left join pg_index on indexrelid = pg_class.oid
where relnamespace = 'public'::regnamespace
  and (relkind = 'i' or relkind = 'r' and reltuples < 0 and pg_relation_size(pg_class.oid) > 50 * 8192)
