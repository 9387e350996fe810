-- staging_close: removes schema staging and all that is left in it.
create or replace function staging_close() returns void
  language plpgsql set client_min_messages = warning as $$
begin
  drop schema if exists staging cascade;
end $$;
comment on function staging_close() is 'Removes schema staging with all that is left in it.';
revoke execute on function staging_close from public;
