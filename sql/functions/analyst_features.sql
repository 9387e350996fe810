-- analyst_features: makes the view of a feature dataset in schema analyst.
--   layer  the dataset
-- Its geometry has one type, and its forty commonest properties are columns.
create or replace function analyst_features(layer text) returns void
  language plpgsql as $$
declare
  abouts text[] := array['Number of the feature in its dataset.', 'Its shape, WGS 84.', 'Its id, as it came.', 'State of its lowest frame.',
    'Local government area of its lowest frame.', 'Ward of its lowest frame.', 'Frames that it intersects, lowest first.'];
  names text[];
  numeric_ones boolean[];
  columns text[];
  selected text;
  lying text := format('from analyst.feature_frame as lying where lying.layer_id = %L and lying.id = feature.feature_no order by lying.frame_id', layer);
  single text;
begin
  -- The forty commonest properties are columns too. If one has a text that PostgreSQL cannot hold (\u0000), none is.
  select array_agg(name order by name collate "C"), array_agg(type = 'number' order by name collate "C") into names, numeric_ones
  from property
  where layer_id = layer and not exists (
    select from feature join dataset using (version) where dataset.layer_id = layer and readable_json(properties)::text <> properties::text
  );
  columns := analyst_columns(names, analyst_taken('features'));
  select string_agg(format(case when numeric_ones[n]
      then 'plain_number(feature.properties ->> %L) as %I'
      else 'feature.properties ->> %L as %I'
    end, names[n], columns[n]) || ', ', ' ' order by n) into selected
  from generate_subscripts(names, 1) as n;
  select case kind when 'points' then 'Point' when 'lines' then 'LineString' else 'Polygon' end into single from dataset where layer_id = layer;
  -- feature_no has no cast: with one, a join on it would read every feature. Each unit is a subquery of its own, which
  -- PostgreSQL does not run for a query without its column. The frames come from view feature_frame, which follows the
  -- index, so that this view need not be made again with the index.
  perform analyst_view_put(analyst_name(layer), format($body$
    select feature.feature_no as id, ST_Multi(feature.geom)::geometry(%s, 4326) as geom, feature.feature_id,
      (select lying.state %s limit 1) as state, (select lying.lga %2$s limit 1) as lga, (select lying.ward %2$s limit 1) as ward,
      array(select lying.frame_id %2$s) as frame_ids, %s feature.properties
    from public.feature
    where feature.version = (select version from public.dataset where layer_id = %L) and GeometryType(feature.geom) in (%L, %L)$body$,
      'Multi' || single, lying, selected, layer, upper(single), 'MULTI' || upper(single)),
    (select concat_ws('. ', name || coalesce(', ' || vintage, ''), rtrim(description, '.')) || '.' from dataset where layer_id = layer),
    analyst_own_columns('features') || columns || array['properties'],
    abouts || (select array_agg(format('Property %s.', name)) from unnest(names) as name) || array['All properties, as they came.']);
end $$;
comment on function analyst_features(text) is 'Makes the view of a feature dataset, its geometry of one type, its commonest properties as columns.';
revoke execute on function analyst_features from public;
