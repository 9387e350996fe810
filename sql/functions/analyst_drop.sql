-- analyst_drop: drops the view of a dataset that is removed, and its style, and answers the name of the view.
--   layer  the dataset
-- A view of an analyst that reads it stands in the way: nothing is removed then.
create or replace function analyst_drop(layer text) returns text
  language plpgsql set client_min_messages = warning as $$
declare
  readers text;
begin
  execute format('drop view if exists analyst.%I', analyst_name(layer));
  delete from layer_styles where f_table_schema = 'analyst' and f_table_name = analyst_name(layer) and owner = 'frames';
  return 'analyst.' || analyst_name(layer);
exception when dependent_objects_still_exist then
  get stacked diagnostics readers = pg_exception_detail;
  raise exception 'Views of your own read analyst.% (%). Drop them first.', analyst_name(layer), replace(readers, E'\n', '; ')
    using errcode = 'dependent_objects_still_exist';
end $$;
comment on function analyst_drop(text) is 'Drops the view of a dataset, and its style for QGIS: called where the dataset is removed.';
revoke execute on function analyst_drop from public;
