-- encoding: the encoding of the database, whether PostgreSQL has ICU, who may only read, and whether it was migrated.
-- fold_name needs UTF8 and ICU.
select
  current_setting('server_encoding') as encoding,
  exists (select from pg_collation where collname = 'und-x-icu') as icu,
  case when current_setting('transaction_read_only')::bool then current_user end as reader,
  to_regclass('public.migration')::text as migrated
