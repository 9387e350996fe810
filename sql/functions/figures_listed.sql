-- figures_listed: the figures that a profile has of datasets: their attributes, or the number and the extent of features.
--   layers  datasets
-- PostgreSQL puts this body in the place of a call (one select, stable, not strict).
create or replace function figures_listed(layers text[])
  returns table (layer bigint, version bigint, kind text, place int, name text, label text, unit text, type text, summary text, weight text,
    shared text[], repeats text, has_draws boolean, has_classes boolean)
  language sql stable parallel safe as $$
  select given.place, dataset.version, dataset.kind, listed.*
  from unnest(layers) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  cross join lateral (
    select place, name, label, unit, type, summary, weight, shared, repeats, draws is not null,
      summary = 'mode' and exists (select from class where class.layer_id = attribute.layer_id and class.name = attribute.name)
    from attribute
    where attribute.layer_id = dataset.layer_id and dataset.kind = 'frames'
    union all
    select measure.place, measure.name, dataset.name, measure.unit, 'number', measure.summary, null, null, null, false, false
    from (values (1, 'features', null, 'count', null), (2, 'km', 'km', 'length', 'lines'), (2, 'km2', 'km²', 'area', 'polygons')) as measure (place, name, unit, summary, kind)
    where dataset.kind <> 'frames' and coalesce(measure.kind, dataset.kind) = dataset.kind
  ) as listed
$$;
comment on function figures_listed(text[]) is 'The figures that a profile has of datasets.';
