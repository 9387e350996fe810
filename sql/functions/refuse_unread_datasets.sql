-- refuse_unread_datasets: refuses a figure or a filter that names a dataset which the caller may not read.
--   asked  the figure or the filter
-- Functions that run with the rights of their owner call it first. The caller is the role of the session: the one that
-- logged in, or the one that it has set. Whoever may select the whole view of a dataset reads the dataset. Each text that
-- is the id of a dataset counts as its name, wherever it stands: no member of a figure, old or new, is a way around.
create or replace function refuse_unread_datasets(asked jsonb) returns void
  language plpgsql stable as $$
declare
  caller name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  unread text;
begin
  if not has_table_privilege(caller, 'analyst.frame', 'select') then
    raise exception 'permission denied for view frame' using errcode = 'insufficient_privilege';
  end if;
  with named as (  -- what stands where the name of a dataset does
    select value #>> '{}' as name, key in ('of', 'things', 'near') as is_dataset
    from jsonb_path_query(asked, 'strict $.** ? (@.type() == "object")') as part
    cross join lateral jsonb_each(part)
    where jsonb_typeof(value) = 'string'
    union
    select text #>> '{}', false from jsonb_path_query(asked, 'strict $.** ? (@.type() == "string")') as text
  )
  select min(named.name collate "C") into unread
  from named
  left join dataset on dataset.layer_id = named.name
  where case
    when dataset.layer_id is null then is_dataset and named.name <> all ('{frames,state,lga,ward}')
    else not coalesce(has_table_privilege(caller, to_regclass(format('analyst.%I', analyst_name(dataset.layer_id))), 'select'), false)
  end;
  if unread is not null then
    raise exception '%: there is no such dataset, or % may not read its view.', unread, caller using errcode = 'insufficient_privilege';
  end if;
end $$;
comment on function refuse_unread_datasets(jsonb) is 'Refuses a figure or a filter that names a dataset which the caller may not read.';
