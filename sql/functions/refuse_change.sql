-- refuse_change: the trigger function that keeps a table append-only.
create or replace function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception 'rows of % are added, never changed or removed', tg_table_name;
end $$;
comment on function refuse_change() is 'Keeps a table append-only.';
