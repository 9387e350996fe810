-- analyst_dataset: makes the view of a dataset, its style for QGIS, and the grants on it.
-- Every import of a dataset calls it.
--   layer  the dataset
create or replace function analyst_dataset(layer text) returns void
  language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4170002);
  if (select kind = 'frames' from dataset where layer_id = layer) then
    perform analyst_baseline(layer, 'public');
  else
    perform analyst_features(layer);
  end if;
  perform analyst_style(analyst_name(layer), layer);
  perform analyst_grants();
end $$;
comment on function analyst_dataset(text) is 'Makes the view of a dataset, and its style for QGIS: called after each import of it.';
revoke execute on function analyst_dataset from public;
