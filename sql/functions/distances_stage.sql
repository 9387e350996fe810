-- distances_stage: measures the distances of the staged frames to the features of each dataset that has distances.
-- A build or an import of frames calls it in schema staging. staging_switch serves the rows.
create or replace function distances_stage() returns void
  language plpgsql as $$
declare
  distances record;
  next bigint;
begin
  for distances in
    select dataset.layer_id, substr(target.layer_id, 5) as subject, target.version as features
    from staging.dataset
    join staging.dataset as target on target.layer_id = dataset.distance_to
    order by dataset.layer_id
  loop
    next := nextval('dataset_version');
    perform distances_put(distances.features, next, distances.subject);
    update staging.dataset set version = next, items = (select count(*) from baseline_row where version = next)
    where layer_id = distances.layer_id;
    perform classes_keep(distances.layer_id);
  end loop;
end $$;
comment on function distances_stage() is 'Measures the distances of the staged frames to features: a build calls it, and staging_switch serves the rows.';
revoke execute on function distances_stage from public;
