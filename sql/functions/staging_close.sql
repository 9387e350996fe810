-- staging_close: removes schema staging with all that is left in it, and rows of distances that nobody reads.
create or replace function staging_close() returns void
  language plpgsql set client_min_messages = warning as $$
begin
  if to_regclass('staging.dataset') is not null then
    with unread as (  -- versions of distances
      select version from staging.dataset where distance_to is not null and version not in (select version from public.dataset)
    ), rows_removed as (  -- their rows
      delete from public.baseline_row where version in (select version from unread)
    )
    delete from public.value_row where version in (select version from unread);
  end if;
  drop schema if exists staging cascade;
end $$;
comment on function staging_close() is 'Removes schema staging with all that is left in it.';
revoke execute on function staging_close from public;
