-- encoding: the encoding of the database, and whether PostgreSQL has ICU: fold_name needs UTF8 and ICU.
select
  current_setting('server_encoding') as encoding,
  exists (select from pg_collation where collname = 'und-x-icu') as icu
