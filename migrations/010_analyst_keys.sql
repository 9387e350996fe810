-- Up Migration

-- Areas are stored, frames have one key (frame_id) in every view of schema analyst, and the catalogue has views there.

-- Indexes are made in the transaction of the migration, which CONCURRENTLY cannot join. Why columns are generated is said with them.
-- squawk-ignore-file require-concurrent-index-creation, adding-field-with-default

-- Working an area out takes 7 microseconds a frame and up to 0.1 s a state. A join did it once for every row it joined.
-- A generated column rewrites its table, in the order that the rows have: frames stay in Hilbert order. Callers wait meanwhile, on a
-- national index for half a minute; a column that a trigger fills could fall behind geom unseen.
-- The statements of the release before name a column of their own km2: on a table that had one of that name they would be ambiguous.
alter table frame add column area_km2 numeric not null
  generated always as (round((ST_Area(geom::geography) / 1e6)::numeric, 6)) stored;
alter table unit_area add column area_km2 numeric not null
  generated always as (round((ST_Area(geom::geography) / 1e6)::numeric, 6)) stored;
comment on column frame.area_km2 is 'Area in square kilometres, on the ellipsoid, to the square metre.';
comment on column unit_area.area_km2 is 'Area in square kilometres, on the ellipsoid, to the square metre.';

create index feature_frame_feature_idx on feature_frame (version, feature_no, frame_id);
comment on index feature_frame_feature_idx is 'The frames of a feature, in order.';

create function analyst_own_columns(kind text) returns text[]
  language sql immutable strict parallel safe
  return case kind
    when 'frames' then array['frame_id', 'geom', 'state', 'lga', 'ward']
    else array['id', 'geom', 'feature_id', 'state', 'lga', 'ward', 'frame_ids']
  end;
comment on function analyst_own_columns(text) is
  'The columns that the view of every dataset of a kind begins with; the last column is recorded for baselines, properties for features.';

create function analyst_taken(kind text) returns text[]
  language sql immutable strict parallel safe
  return analyst_own_columns(kind) || case kind when 'frames' then array['recorded', 'id'] else array['properties', 'frame_id'] end;
comment on function analyst_taken(text) is
  'Names that no attribute or property gets for its column in a view of that kind of dataset: those of the view, and those of other keys.';

create or replace function analyst_view_put(name text, body text, about text, columns text[], comments text[]) returns void
  language plpgsql set client_min_messages = warning as $$
declare
  readers text;
begin
  -- A view is replaced where its columns are the same, so that grants on it and views over it stay.
  begin
    execute format('create or replace view analyst.%I as %s', name, body);
  exception when invalid_table_definition then
    begin
      execute format('drop view analyst.%I', name);
    exception when dependent_objects_still_exist then
      get stacked diagnostics readers = pg_exception_detail;
      raise exception 'The columns of analyst.% change, and views of your own that read it stand in the way (%). Drop them, run "npm run -s frames -- migrate", then create them again with the new columns.',
        name, replace(readers, E'\n', '; ') using errcode = 'dependent_objects_still_exist';
    end;
    execute format('create view analyst.%I as %s', name, body);
  end;
  -- Made by a superuser, it would be out of reach for whoever makes it anew.
  execute format('alter view analyst.%I owner to %s', name, (select nspowner::regrole from pg_namespace where nspname = 'analyst'));
  execute format('comment on view analyst.%I is %L', name, about);
  for i in 1 .. cardinality(columns) loop
    execute format('comment on column analyst.%I.%I is %L', name, columns[i], comments[i]);
  end loop;
end $$;

create or replace function analyst_units(index_schema text) returns void
  language plpgsql as $$
begin
  perform analyst_view_put('frame', format($body$
    select frame_id, ST_Multi(geom)::geometry(MultiPolygon, 4326) as geom, state, state_code, lga, lga_code, ward, ward_code,
      zone, zone_code, ST_XMin(geom) as min_lon, ST_YMin(geom) as min_lat, ST_XMax(geom) as max_lon, ST_YMax(geom) as max_lat, area_km2 as km2
    from %I.frame$body$, index_schema),
    'Frames, one row a cell.',
    array['frame_id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'ward', 'ward_code', 'zone', 'zone_code',
      'min_lon', 'min_lat', 'max_lon', 'max_lat', 'km2'],
    array['The frame.', 'Outline of the cell, WGS 84.', 'State.', 'Code of the state.', 'Local government area.', 'Code of the area.',
      'Ward.', 'Code of the ward.', 'Zone.', 'Code of the zone.', 'Western edge, degrees.', 'Southern edge, degrees.',
      'Eastern edge, degrees.', 'Northern edge, degrees.', 'Area in square kilometres, on the ellipsoid.']);
  perform analyst_view_put('state', format($body$
    select area.unit_id as id, area.geom, state.state, state.state_code, state.zone, state.zone_code, state.frames, area.area_km2 as km2
    from %I.unit_area as area
    join %1$I.state as state on state.state = area.state
    where area.lga is null$body$, index_schema),
    'States, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'zone', 'zone_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State.', 'Its code.', 'Zone it lies in.', 'Code of the zone.',
      'Frames in it.', 'Area in square kilometres, on the ellipsoid.']);
  perform analyst_view_put('lga', format($body$
    select area.unit_id as id, area.geom, lga.state, state.state_code, lga.lga, lga.lga_code, lga.frames, area.area_km2 as km2
    from %I.unit_area as area
    join %1$I.lga as lga on lga.state = area.state and lga.lga = area.lga
    join %1$I.state as state on state.state = area.state
    where area.lga is not null and area.ward is null$body$, index_schema),
    'Local government areas, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State it lies in.', 'Code of the state.', 'Name of the area.',
      'Its code.', 'Frames in it.', 'Area in square kilometres, on the ellipsoid.']);
  perform analyst_view_put('ward', format($body$
    select area.unit_id as id, area.geom, ward.state, state.state_code, ward.lga, lga.lga_code, ward.ward, ward.ward_code, ward.frames, area.area_km2 as km2
    from %I.unit_area as area
    join %1$I.ward as ward on ward.state = area.state and ward.lga = area.lga and ward.ward = area.ward
    join %1$I.lga as lga on lga.state = area.state and lga.lga = area.lga
    join %1$I.state as state on state.state = area.state
    where area.ward is not null$body$, index_schema),
    'Wards, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'ward', 'ward_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State it lies in.', 'Code of the state.',
      'Local government area it lies in.', 'Code of the area.', 'Name of the ward.', 'Its code.', 'Frames in it.',
      'Area in square kilometres, on the ellipsoid.']);
  -- Left joins on whole keys: PostgreSQL leaves a table out whose columns are not asked for.
  perform analyst_view_put('feature_frame', format($body$
    select dataset.layer_id, pair.feature_no as id, feature.feature_id, pair.frame_id, frame.state, frame.lga, frame.ward
    from public.dataset
    join %I.feature_frame as pair on pair.version = dataset.version
    left join public.feature on feature.version = pair.version and feature.feature_no = pair.feature_no
    left join %1$I.frame as frame on frame.frame_id = pair.frame_id$body$, index_schema),
    'Features and the frames that they intersect, one row a pair. Its key is layer_id, id and frame_id together.',
    array['layer_id', 'id', 'feature_id', 'frame_id', 'state', 'lga', 'ward'],
    array['The dataset of the feature.', 'Number of the feature, as in the view of its dataset.', 'Id of the feature, as it came.',
      'The frame.', 'State of the frame.', 'Local government area of the frame.', 'Ward of the frame.']);
end $$;

create function analyst_catalogue() returns void
  language plpgsql as $$
begin
  -- A relation of PostgreSQL has at most 1,600 columns, and a view has some besides the attributes: the first 1,500 get one.
  perform analyst_view_put('dataset', $body$
    select layer_id, public.analyst_name(layer_id) as view_name, name, category, kind, vintage, description, items, imported_at
    from public.dataset$body$,
    'Datasets, each with its view in this schema.',
    array['layer_id', 'view_name', 'name', 'category', 'kind', 'vintage', 'description', 'items', 'imported_at'],
    array['The dataset.', 'Its view in this schema.', 'Its name.', 'Its category.', 'frames: a baseline; points, lines, polygons: features.',
      'The time it tells of, where recorded.', 'Its description, where recorded.', 'Rows or features it has.', 'When they were imported.']);
  perform analyst_view_put('attribute', $body$
    select attribute.layer_id, dataset.name as dataset, attribute.place, attribute.name,
      case when shown.turn <= 1500 then shown.column_name end as column_name, attribute.label, attribute.unit, attribute.type,
      attribute.summary, attribute.weight, attribute.description
    from public.dataset
    cross join lateral (
      select unnest(array_agg(each.name order by each.place)) as name,
        unnest(public.analyst_columns(array_agg(each.name order by each.place), public.analyst_taken('frames'))) as column_name,
        generate_series(1, count(*)) as turn
      from public.attribute as each where each.layer_id = dataset.layer_id
    ) as shown
    join public.attribute on attribute.layer_id = dataset.layer_id and attribute.name = shown.name$body$,
    'The catalogue: what each attribute of a baseline means, and its column in the view of the baseline.',
    array['layer_id', 'dataset', 'place', 'name', 'column_name', 'label', 'unit', 'type', 'summary', 'weight', 'description'],
    array['The dataset.', 'Name of the dataset.', 'Place of the attribute in the dataset, from 1.', 'Name of the attribute in column recorded.',
      'Its column in the view of the dataset; null past the 1,500th attribute, which is in recorded alone.', 'Its name for people.',
      'Unit of its values, where they have one.', 'number or category.',
      'How the API summarises it over frames: sum, mean, weighted_mean, mode, or none.',
      'What weights a weighted mean: area (km2 of the frame) or an attribute of the same dataset.', 'Its description, where recorded.']);
end $$;
comment on function analyst_catalogue() is 'Makes the views of the catalogue: datasets and their attributes.';

create or replace function analyst_baseline(layer text, index_schema text) returns void
  language plpgsql as $$
declare
  said text[] := array['The frame.', 'Outline of the cell, WGS 84.', 'State.', 'Local government area.', 'Ward.'];
  columns text[];
  comments text[];
  shown text;
begin
  select array_agg(column_name order by place), array_agg(label || coalesce(' (' || unit || ')', '') || '.' order by place),
    string_agg(format(case type
        when 'number' then 'plain_number(baseline_row.recorded ->> %L) as %I'
        else 'baseline_row.recorded ->> %L as %I'
      end, name, column_name) || ', ', ' ' order by place)
    into columns, comments, shown
  from analyst.attribute
  where layer_id = layer and column_name is not null;
  -- The version is asked first, by itself: joined, it would have all rows of the dataset read for the smallest box.
  perform analyst_view_put(analyst_name(layer), format($body$
    select frame.frame_id, ST_Multi(frame.geom)::geometry(MultiPolygon, 4326) as geom, frame.state, frame.lga, frame.ward,
      %s baseline_row.recorded
    from %I.frame as frame
    join public.baseline_row on baseline_row.frame_id = frame.frame_id
    where baseline_row.version = (select version from public.dataset where layer_id = %L)$body$, shown, index_schema, layer),
    (select name || coalesce(', ' || vintage, '') || coalesce('. ' || description, '') from dataset where layer_id = layer),
    analyst_own_columns('frames') || columns || array['recorded'],
    said || comments || array['All attributes and their values, texts exactly as stored.']);
end $$;

create or replace function analyst_features(layer text) returns void
  language plpgsql as $$
declare
  said text[] := array['Number of the feature in its dataset.', 'Its shape, WGS 84.', 'Its id, as it came.', 'State of its lowest frame.',
    'Local government area of its lowest frame.', 'Ward of its lowest frame.', 'Frames that it intersects, lowest first.'];
  names text[];
  numeric_ones boolean[];
  columns text[];
  shown text;
  lying text := format('from analyst.feature_frame as lying where lying.layer_id = %L and lying.id = feature.feature_no order by lying.frame_id', layer);
  single text;
begin
  -- The forty commonest properties are columns too. A text that PostgreSQL cannot hold (\u0000) leaves them in properties alone.
  begin
    select array_agg(key order by key collate "C"), array_agg(is_number order by key collate "C") into names, numeric_ones
    from (
      select key, bool_and(value is null or plain_number(value) is not null) and count(value) > 0 as is_number
      from dataset
      join feature using (version)
      cross join lateral json_each_text(properties)
      where layer_id = layer
      group by key
      order by count(*) desc, key collate "C"
      limit 40
    ) as property;
  exception when untranslatable_character or invalid_text_representation then
    names := null;
  end;
  columns := analyst_columns(names, analyst_taken('features'));
  select string_agg(format(case when numeric_ones[n]
      then 'plain_number(feature.properties ->> %L) as %I'
      else 'feature.properties ->> %L as %I'
    end, names[n], columns[n]) || ', ', ' ' order by n) into shown
  from generate_subscripts(names, 1) as n;
  select case kind when 'points' then 'Point' when 'lines' then 'LineString' else 'Polygon' end into single from dataset where layer_id = layer;
  -- The number is shown as it is kept: with a cast, a join on it would read every feature. Each unit is a question of its own: it is not asked where its column is not. The frames come from the view of them,
  -- which follows the index, so that this one need not be made anew with it.
  perform analyst_view_put(analyst_name(layer), format($body$
    select feature.feature_no as id, ST_Multi(feature.geom)::geometry(%s, 4326) as geom, feature.feature_id,
      (select lying.state %s limit 1) as state, (select lying.lga %2$s limit 1) as lga, (select lying.ward %2$s limit 1) as ward,
      array(select lying.frame_id %2$s) as frame_ids, %s feature.properties
    from public.feature
    where feature.version = (select version from public.dataset where layer_id = %L) and GeometryType(feature.geom) in (%L, %L)$body$,
      'Multi' || single, lying, shown, layer, upper(single), 'MULTI' || upper(single)),
    (select name || coalesce(', ' || vintage, '') || coalesce('. ' || description, '') from dataset where layer_id = layer),
    analyst_own_columns('features') || columns || array['properties'],
    said || (select array_agg(format('Property %s.', name)) from unnest(names) as name) || array['All properties, as they came.']);
end $$;

create or replace function analyst_classes(layer text) returns table (renderer text, attribute text, number int, lower numeric, upper numeric, value text)
  language plpgsql stable as $$
declare
  main attribute;
  shown text;
begin
  select * into main from attribute as each where layer_id = layer and summary <> 'none' order by place limit 1;
  if not found then return; end if;
  select each.column_name into shown from analyst.attribute as each where each.layer_id = layer and each.name = main.name;
  if main.type = 'number' then
    -- Five classes of as many frames each, or fewer where values repeat.
    return query
    with bound as (
      select distinct unnest(percentile_disc(array[0, 0.2, 0.4, 0.6, 0.8, 1]) within group (order by plain_number(recorded ->> main.name))) as value
      from dataset join baseline_row using (version) where layer_id = layer
    ), class as (
      select lag(bound.value) over (order by bound.value) as from_value, bound.value as to_value from bound where bound.value is not null
    )
    select 'graduatedSymbol', shown, (row_number() over (order by from_value))::int - 1, from_value, to_value, null::text
    from class where from_value is not null;
  else
    -- Twelve values can be told apart by their colours; more than that are not shown by colour.
    return query
    with class as (
      select recorded ->> main.name as of, count(*) as frames
      from dataset join baseline_row using (version) where layer_id = layer and recorded ->> main.name is not null
      group by 1 limit 13
    )
    select 'categorizedSymbol', shown, (row_number() over (order by frames desc, of collate "C"))::int - 1, null::numeric, null::numeric, of
    from class where (select count(*) from class) <= 12;
  end if;
end $$;

create or replace function analyst_views() returns void
  language plpgsql set client_min_messages = warning as $$
declare
  gone text;
begin
  -- Two that change views and grants at once fail ("tuple concurrently updated"): the second waits.
  perform pg_advisory_xact_lock(4170002);
  for gone in
    select relname from pg_class
    where relnamespace = 'analyst'::regnamespace and relkind = 'v' and relname like 'lyr\_%'
      and relname not in (select analyst_name(layer_id) from dataset)
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
  perform analyst_style(relname, layer_id)
  from pg_class
  join pg_attribute on attrelid = pg_class.oid and attname = 'geom'
  left join dataset on analyst_name(layer_id) = relname
  where relnamespace = 'analyst'::regnamespace and relkind = 'v'
    and not exists (select from layer_styles where f_table_schema = 'analyst' and f_table_name = relname and owner = 'frames');
  perform analyst_grants();
end $$;

create or replace function staging_open() returns void
  language plpgsql set client_min_messages = warning as $$
declare
  t text;
  readers text;
begin
  select string_agg(distinct format('%I.%I', n.nspname, c.relname), ', ') into readers
  from pg_depend d
  join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
  join pg_class c on c.oid = r.ev_class
  join pg_namespace n on n.oid = c.relnamespace
  where d.refclassid = 'pg_class'::regclass
    and d.refobjid in (select format('public.%I', name)::regclass from unnest(index_tables()) as name)
    and not (n.nspname = 'analyst' and (c.relname in ('frame', 'state', 'lga', 'ward', 'feature_frame')
      or c.relname in (select analyst_name(layer_id) from dataset)));
  if readers is not null then
    raise exception 'these views read the frame index and would be lost with it: %', readers
      using hint = 'Drop them, make the new index, then create them again; views over those of schema analyst may stay.';
  end if;
  drop schema if exists staging cascade;
  create schema staging;
  foreach t in array index_tables() loop
    execute format('create table staging.%I (like public.%I including all excluding indexes)', t, t);
  end loop;
  create unlogged table staging.outline_source (geom geometry(Geometry, 4326) not null);
  create unlogged table staging.ward_source (
    number bigint primary key,
    state text, state_code text, lga text, lga_code text, ward text, ward_code text, zone text, zone_code text,
    geom geometry(Geometry, 4326) not null
  );
  create unlogged table staging.frame_source (
    number bigint, line bigint, frame_id bigint,
    state text, state_code text, lga text, lga_code text, ward text, ward_code text, zone text, zone_code text,
    geom geometry(Geometry, 4326)
  );
end $$;

-- As in 007: whoever makes or changes the views is their owner.
revoke execute on function analyst_catalogue() from public;

-- The key gets its name before the views are made anew: so they need not be dropped, and views of others over them stay.
do $$
declare
  known name;
begin
  for known in
    select relname from pg_class
    where relnamespace = 'analyst'::regnamespace and relkind = 'v'
      and (relname = 'frame' or relname in (select analyst_name(layer_id) from dataset where kind = 'frames'))
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'id' and attnum = 1)
      and not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'frame_id')
  loop
    execute format('alter view analyst.%I rename column id to frame_id', known);
  end loop;
end $$;

select analyst_views();
