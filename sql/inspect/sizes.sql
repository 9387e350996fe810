-- sizes: the bytes of the tables that costly checks take a sample of.
select
  pg_relation_size(to_regclass('public.frame'))::float8 as frame,
  pg_relation_size(to_regclass('public.feature'))::float8 as feature
