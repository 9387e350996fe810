-- analyst_views: makes the views of schema analyst, with styles and grants, and drops views of datasets that are gone.
-- "frames migrate" calls it.
create or replace function analyst_views() returns void
  language plpgsql set client_min_messages = warning as $$
declare
  gone text;
begin
  -- Without the lock, the second of two sessions that grant at once fails with "tuple concurrently updated".
  perform pg_advisory_xact_lock(4170002);
  for gone in
    select relname from pg_class
    where relnamespace = 'analyst'::regnamespace and relkind = 'v' and relname like 'lyr\_%'
      and relname not in (select analyst_names()) and pg_has_role(relowner, 'USAGE')
  loop
    execute format('drop view analyst.%I', gone);
  end loop;
  perform analyst_catalogue();
  perform analyst_views_follow('public');
  perform analyst_features(layer_id) from dataset where kind <> 'frames' order by layer_id;
  delete from layer_styles
  where f_table_schema = 'analyst' and owner = 'frames' and to_regclass(format('analyst.%I', f_table_name)) is null;
  -- QGIS asks for the styles of the database by its name: this one may be a copy of another.
  update layer_styles set f_table_catalog = current_database() where f_table_schema = 'analyst' and f_table_catalog <> current_database();
  -- A view without a style of the program gets one, and all get theirs again after a file of sql/styles/ has changed.
  perform analyst_style(relname, layer_id)
  from pg_class
  join pg_attribute on attrelid = pg_class.oid and attname = 'geom'
  left join dataset on analyst_name(layer_id) = relname
  where relnamespace = 'analyst'::regnamespace and relkind = 'v'
    and not exists (
      select from layer_styles
      where f_table_schema = 'analyst' and f_table_name = relname and owner = 'frames'
        and update_time > (select max(changed_at) from style)
    );
  perform analyst_grants();
end $$;
comment on function analyst_views() is
  'Makes every view of schema analyst anew, with its style, and drops those of datasets that are gone. "frames migrate" calls it.';
revoke execute on function analyst_views from public;
