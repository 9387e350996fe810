-- migrations_done: the migrations that were applied to this database.
select name as name from public.migration
