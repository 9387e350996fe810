-- generation_missing: whether index_generation has its one row; answers have no ETag without it, and an import fails.
-- The time of the switch is part of every ETag, so a caller keeps no old answer.
select 'wrong' as severity, 'index_generation has no row: which index is being served is not known.' as what,
  E'insert into index_generation (generation, frames, source, switched_at)\n'
  '  select 1, count(*), ''entered again'', clock_timestamp() from frame;' as fix
where not exists (select from index_generation)
