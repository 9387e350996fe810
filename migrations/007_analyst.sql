-- Up Migration

-- The analyst's door: views for QGIS, psql and ogr2ogr. Each has a bigint id first, a geometry of one type, and a comment on every column.

-- Indexes are made in the transaction of the migration, which CONCURRENTLY cannot join.
-- squawk-ignore-file require-concurrent-index-creation

-- The views show every frame as a MultiPolygon, since a layer has one type. They are searched by the very expression they show.
create index frame_multipolygon_idx on frame using gist ((ST_Multi(geom)::geometry(MultiPolygon, 4326)));
comment on index frame_multipolygon_idx is 'Frames in a box, as schema analyst shows them.';
create index feature_points_idx on feature using gist ((ST_Multi(geom)::geometry(MultiPoint, 4326)))
  where GeometryType(geom) in ('POINT', 'MULTIPOINT');
create index feature_lines_idx on feature using gist ((ST_Multi(geom)::geometry(MultiLineString, 4326)))
  where GeometryType(geom) in ('LINESTRING', 'MULTILINESTRING');
create index feature_polygons_idx on feature using gist ((ST_Multi(geom)::geometry(MultiPolygon, 4326)))
  where GeometryType(geom) in ('POLYGON', 'MULTIPOLYGON');
comment on index feature_points_idx is 'Points in a box, as schema analyst shows them.';
comment on index feature_lines_idx is 'Lines in a box, as schema analyst shows them.';
comment on index feature_polygons_idx is 'Polygons in a box, as schema analyst shows them.';

create table unit_area (
  unit_id bigint constraint unit_area_pkey primary key,
  state text not null,
  lga text,
  ward text,
  geom geometry(MultiPolygon, 4326) not null,
  constraint unit_area_once unique nulls not distinct (state, lga, ward),
  constraint area_within_lga check (ward is null or lga is not null)
);
create index unit_area_geom_idx on unit_area using gist (geom);
comment on table unit_area is 'The land of each unit: the union of its frames, worked out when the index is made.';
comment on column unit_area.unit_id is 'Units in the order of their names, from 1; another number in another index.';
comment on column unit_area.state is 'The state.';
comment on column unit_area.lga is 'The local government area; null for the land of a state.';
comment on column unit_area.ward is 'The ward; null for the land of a state or of an area.';
comment on column unit_area.geom is 'The union of the frames.';
comment on index unit_area_pkey is 'Units by number.';
comment on index unit_area_once is 'The land of a unit.';
comment on index unit_area_geom_idx is 'Units in a box.';

-- For an index that is there already; what makes one is sql/staging/unit_area.sql.
insert into unit_area (unit_id, state, lga, ward, geom)
with ward_land as (
  select state, lga, ward, ST_Union(geom) as geom from frame where state is not null group by state, lga, ward
), lga_land as (
  select state, lga, ST_Union(geom) as geom from ward_land group by state, lga
), land as (
  select state, lga, ward, geom from ward_land where ward is not null
  union all
  select state, lga, null, geom from lga_land
  union all
  select state, null, null, ST_Union(geom) from lga_land group by state
)
select row_number() over (order by state collate "C", lga collate "C" nulls first, ward collate "C" nulls first), state, lga, ward,
  ST_Multi(ST_CollectionExtract(geom, 3))
from land;

create or replace function index_tables() returns text[]
  language sql immutable parallel safe
  return array['state', 'lga', 'ward', 'frame_run', 'frame', 'feature_frame', 'unit_area'];

create schema analyst;
comment on schema analyst is 'What analysts read: made and changed by the program, so keep your own views elsewhere.';

create function analyst_name(name text) returns text
  language sql immutable strict parallel safe
  return case
    when octet_length(name) <= 63 then name
    else (select left(name, max(n)) from generate_series(1, 54) as n where octet_length(left(name, n)) <= 54) || '_' || left(md5(name), 8)
  end;
comment on function analyst_name(text) is 'A name as PostgreSQL takes it: one of over 63 bytes is cut, and ends in the beginning of its MD5.';

create function analyst_columns(names text[], taken text[]) returns text[]
  language sql immutable parallel safe
  return (
    with given as (
      select place, analyst_name(case when name = any (taken) then 'recorded_' || name else name end) as wanted
      from unnest(names) with ordinality as given (name, place)
    ), numbered as (
      select place, wanted, row_number() over (partition by wanted order by place) as turn from given
    )
    select array_agg(case turn when 1 then wanted else analyst_name(wanted || '_' || place) end order by place) from numbered
  );
comment on function analyst_columns(text[], text[]) is
  'Names of columns for names of attributes: one that is taken by the view gets recorded_ before it, a second of the same name its place after it.';

create function analyst_view_put(name text, body text, about text, columns text[], comments text[]) returns void
  language plpgsql set client_min_messages = warning as $$
begin
  -- A view is replaced where its columns are the same, so that grants on it and views over it stay.
  begin
    execute format('create or replace view analyst.%I as %s', name, body);
  exception when invalid_table_definition then
    execute format('drop view analyst.%I', name);
    execute format('create view analyst.%I as %s', name, body);
  end;
  -- Made by a superuser, it would be out of reach for whoever makes it anew.
  execute format('alter view analyst.%I owner to %s', name, (select nspowner::regrole from pg_namespace where nspname = 'analyst'));
  execute format('comment on view analyst.%I is %L', name, about);
  for i in 1 .. cardinality(columns) loop
    execute format('comment on column analyst.%I.%I is %L', name, columns[i], comments[i]);
  end loop;
end $$;
comment on function analyst_view_put(text, text, text, text[], text[]) is 'Makes a view of schema analyst, or makes it anew, with its comments.';

create function analyst_units(index_schema text) returns void
  language plpgsql as $$
declare
  land text := $land$round((ST_Area(%s.geom::geography) / 1e6)::numeric, 6) as km2$land$;
begin
  perform analyst_view_put('frame', format($body$
    select frame_id as id, ST_Multi(geom)::geometry(MultiPolygon, 4326) as geom, state, state_code, lga, lga_code, ward, ward_code,
      zone, zone_code, ST_XMin(geom) as min_lon, ST_YMin(geom) as min_lat, ST_XMax(geom) as max_lon, ST_YMax(geom) as max_lat, %s
    from %I.frame$body$, format(land, 'frame'), index_schema),
    'Frames, one row a cell.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'ward', 'ward_code', 'zone', 'zone_code',
      'min_lon', 'min_lat', 'max_lon', 'max_lat', 'km2'],
    array['Frame id.', 'Outline of the cell, WGS 84.', 'State.', 'Code of the state.', 'Local government area.', 'Code of the area.',
      'Ward.', 'Code of the ward.', 'Zone.', 'Code of the zone.', 'Western edge, degrees.', 'Southern edge, degrees.',
      'Eastern edge, degrees.', 'Northern edge, degrees.', 'Area in square kilometres, on the spheroid.']);
  perform analyst_view_put('state', format($body$
    select area.unit_id as id, area.geom, state.state, state.state_code, state.zone, state.zone_code, state.frames, %s
    from %I.unit_area as area
    join %2$I.state as state on state.state = area.state
    where area.lga is null$body$, format(land, 'area'), index_schema),
    'States, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'zone', 'zone_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State.', 'Its code.', 'Zone it lies in.', 'Code of the zone.',
      'Frames in it.', 'Area in square kilometres, on the spheroid.']);
  perform analyst_view_put('lga', format($body$
    select area.unit_id as id, area.geom, lga.state, state.state_code, lga.lga, lga.lga_code, lga.frames, %s
    from %I.unit_area as area
    join %2$I.lga as lga on lga.state = area.state and lga.lga = area.lga
    join %2$I.state as state on state.state = area.state
    where area.lga is not null and area.ward is null$body$, format(land, 'area'), index_schema),
    'Local government areas, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State it lies in.', 'Code of the state.', 'Name of the area.',
      'Its code.', 'Frames in it.', 'Area in square kilometres, on the spheroid.']);
  perform analyst_view_put('ward', format($body$
    select area.unit_id as id, area.geom, ward.state, state.state_code, ward.lga, lga.lga_code, ward.ward, ward.ward_code, ward.frames, %s
    from %I.unit_area as area
    join %2$I.ward as ward on ward.state = area.state and ward.lga = area.lga and ward.ward = area.ward
    join %2$I.lga as lga on lga.state = area.state and lga.lga = area.lga
    join %2$I.state as state on state.state = area.state
    where area.ward is not null$body$, format(land, 'area'), index_schema),
    'Wards, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'ward', 'ward_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State it lies in.', 'Code of the state.',
      'Local government area it lies in.', 'Code of the area.', 'Name of the ward.', 'Its code.', 'Frames in it.',
      'Area in square kilometres, on the spheroid.']);
end $$;
comment on function analyst_units(text) is 'Makes the views of frames and units, over the index in a schema: public, or staging just before it moves there.';

create function analyst_baseline(layer text, index_schema text) returns void
  language plpgsql as $$
declare
  taken text[] := array['id', 'geom', 'state', 'lga', 'ward', 'recorded'];
  said text[] := array['Frame id.', 'Outline of the cell, WGS 84.', 'State.', 'Local government area.', 'Ward.',
    'All attributes and their values, texts exactly as stored.'];
  names text[];
  columns text[];
  comments text[];
  shown text;
begin
  -- A view has 1,664 columns at most; what is past the 1,600th attribute is read from recorded.
  select array_agg(name order by place), array_agg(about order by place) into names, comments
  from (
    select name, place, label || coalesce(' (' || unit || ')', '') || '.' as about from attribute where layer_id = layer order by place limit 1600
  ) as attribute;
  columns := analyst_columns(names, taken);
  select string_agg(format(case type
      when 'number' then 'plain_number(baseline_row.recorded ->> %L) as %I'
      else 'baseline_row.recorded ->> %L as %I'
    end, name, columns[n]) || ', ', ' ' order by n) into shown
  from unnest(names) with ordinality as given (name, n)
  join attribute using (name)
  where layer_id = layer;
  -- The version is asked first, by itself: joined, it would have all rows of the dataset read for the smallest box.
  perform analyst_view_put(analyst_name(layer), format($body$
    select frame.frame_id as id, ST_Multi(frame.geom)::geometry(MultiPolygon, 4326) as geom, frame.state, frame.lga, frame.ward,
      %s baseline_row.recorded
    from %I.frame as frame
    join public.baseline_row on baseline_row.frame_id = frame.frame_id
    where baseline_row.version = (select version from public.dataset where layer_id = %L)$body$, shown, index_schema, layer),
    (select name || coalesce(', ' || vintage, '') || coalesce('. ' || description, '') from dataset where layer_id = layer),
    taken || columns, said || comments);
end $$;
comment on function analyst_baseline(text, text) is
  'Makes the view of a baseline: numbers are numeric, and null where the value is no plain number; categories are text.';

create function analyst_features(layer text) returns void
  language plpgsql as $$
declare
  taken text[] := array['id', 'geom', 'feature_id', 'properties'];
  said text[] := array['Number of the feature in its dataset.', 'Its shape, WGS 84.', 'Its id, as it came.', 'All properties, as they came.'];
  names text[];
  numeric_ones boolean[];
  columns text[];
  shown text;
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
  columns := analyst_columns(names, taken);
  select string_agg(format(case when numeric_ones[n]
      then 'plain_number(feature.properties ->> %L) as %I'
      else 'feature.properties ->> %L as %I'
    end, names[n], columns[n]) || ', ', ' ' order by n) into shown
  from generate_subscripts(names, 1) as n;
  select case kind when 'points' then 'Point' when 'lines' then 'LineString' else 'Polygon' end into single from dataset where layer_id = layer;
  perform analyst_view_put(analyst_name(layer), format($body$
    select feature.feature_no::bigint as id, ST_Multi(feature.geom)::geometry(%s, 4326) as geom, feature.feature_id, %s feature.properties
    from public.feature
    where feature.version = (select version from public.dataset where layer_id = %L) and GeometryType(feature.geom) in (%L, %L)$body$,
      'Multi' || single, shown, layer, upper(single), 'MULTI' || upper(single)),
    (select name || coalesce(', ' || vintage, '') || coalesce('. ' || description, '') from dataset where layer_id = layer),
    taken || columns, said || (select array_agg(format('Property %s.', name)) from unnest(names) as name));
end $$;
comment on function analyst_features(text) is 'Makes the view of a feature dataset, its geometry of one type, its commonest properties as columns.';

create function analyst_views_follow(index_schema text) returns void
  language plpgsql as $$
begin
  perform analyst_units(index_schema);
  perform analyst_baseline(layer_id, index_schema) from dataset where kind = 'frames' order by layer_id;
end $$;
comment on function analyst_views_follow(text) is 'Points the views that read the frame index to the one in a schema. A view follows the table it reads when that is moved.';

-- QGIS looks for the style of a layer in this table, by these names, and takes the default one.
create table layer_styles (
  id int generated by default as identity constraint layer_styles_pkey primary key,
  f_table_catalog text,
  f_table_schema text,
  f_table_name text,
  f_geometry_column text,
  stylename text,
  styleqml xml,
  stylesld xml,
  useasdefault boolean,
  description text,
  owner text,
  ui xml,
  update_time timestamptz default current_timestamp,
  type text
);
comment on table layer_styles is 'Styles that QGIS finds with a layer: its own table, as it would make it. Those of owner "frames" are made by the program.';
comment on column layer_styles.id is 'The style.';
comment on column layer_styles.f_table_catalog is 'Name of the database: QGIS looks for its own.';
comment on column layer_styles.f_table_schema is 'Schema of the layer.';
comment on column layer_styles.f_table_name is 'The layer.';
comment on column layer_styles.f_geometry_column is 'Its geometry.';
comment on column layer_styles.stylename is 'Name of the style.';
comment on column layer_styles.styleqml is 'The style as QGIS writes it.';
comment on column layer_styles.stylesld is 'The style as SLD, where there is one.';
comment on column layer_styles.useasdefault is 'Is the layer shown so when it is added.';
comment on column layer_styles.description is 'What it shows.';
comment on column layer_styles.owner is 'Who made it: frames, or whoever saved it from QGIS.';
comment on column layer_styles.ui is 'A form of QGIS, where there is one.';
comment on column layer_styles.update_time is 'When it was made.';
comment on column layer_styles.type is 'Kind of geometry, as newer versions of QGIS write it; null for any.';
comment on index layer_styles_pkey is 'Styles by number.';

create function analyst_symbol(kind text, number int, fill text, line text, width numeric) returns xml
  language sql immutable parallel safe
  return (
    select xmlelement(name symbol, xmlattributes(kind as type, number as name, '1' as alpha, '1' as clip_to_extent),
      xmlelement(name layer, xmlattributes(
          case kind when 'fill' then 'SimpleFill' when 'line' then 'SimpleLine' else 'SimpleMarker' end as class,
          '0' as pass, '1' as enabled, '0' as locked),
        xmlagg(xmlelement(name prop, xmlattributes(k, v)) order by k)))
    from (values
      ('fill', 'color', coalesce(fill, '255,255,255,0')), ('fill', 'style', case when fill is null then 'no' else 'solid' end),
      ('fill', 'outline_color', line), ('fill', 'outline_width', width::text),
      ('fill', 'outline_style', case when width = 0 then 'no' else 'solid' end),
      ('line', 'line_color', line), ('line', 'line_width', width::text), ('line', 'line_style', 'solid'),
      ('marker', 'name', 'circle'), ('marker', 'color', fill), ('marker', 'outline_color', line), ('marker', 'outline_width', width::text),
      ('marker', 'size', '2')
    ) as property (of, k, v)
    where of = kind
  );
comment on function analyst_symbol(text, int, text, text, numeric) is 'A symbol of QGIS: a fill, a line or a marker of one colour; no fill where that is null.';

create function analyst_classes(layer text) returns table (renderer text, attribute text, number int, lower numeric, upper numeric, value text)
  language plpgsql stable as $$
declare
  main attribute;
  shown text;
begin
  select * into main from attribute as each where layer_id = layer and summary <> 'none' order by place limit 1;
  if not found then return; end if;
  select columns[place] into shown
  from (
    select analyst_columns(array_agg(name order by each.place), array['id', 'geom', 'state', 'lga', 'ward', 'recorded']) as columns,
      array_position(array_agg(name order by each.place), main.name) as place
    from attribute as each where layer_id = layer
  ) as all_of_it;
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
comment on function analyst_classes(text) is 'How a baseline is coloured: by its first attribute that has a summary, in classes of numbers or by value.';

create function analyst_style(view_name text, layer text) returns void
  language plpgsql as $$
declare
  ramp text[] := array['254,240,217', '253,204,138', '252,141,89', '227,74,51', '179,0,0'];
  palette text[] := array['0,114,178', '230,159,0', '0,158,115', '204,121,167', '86,180,233', '213,94,0', '240,228,66', '120,120,120',
    '130,90,44', '60,60,130', '160,200,120', '200,200,220'];
  symbol_kind text := (select case kind when 'points' then 'marker' when 'lines' then 'line' else 'fill' end from dataset where layer_id = layer);
  renderer xml;
begin
  select xmlelement(name "renderer-v2",
      xmlattributes(c.renderer as type, quote_ident(c.attribute) as attr, '0' as symbollevels, '0' as enableorderby, '0' as forceraster,
        case c.renderer when 'graduatedSymbol' then 'GraduatedColor' end as "graduatedMethod"),
      case c.renderer
        when 'graduatedSymbol' then xmlelement(name ranges, xmlagg(xmlelement(name range, xmlattributes(
          'true' as render, c.number as symbol, c.lower as lower, c.upper as upper, c.lower || ' - ' || c.upper as label)) order by c.number))
        else xmlelement(name categories, xmlagg(xmlelement(name category, xmlattributes(
          'true' as render, c.number as symbol, c.value as value, c.value as label, 'string' as type)) order by c.number))
      end,
      xmlelement(name symbols, xmlagg(
        analyst_symbol('fill', c.number, (case c.renderer when 'graduatedSymbol' then ramp else palette end)[c.number + 1] || ',255', '255,255,255,60', 0.1)
        order by c.number)))
    into renderer
  from analyst_classes(layer) as c
  group by c.renderer, c.attribute;
  renderer := coalesce(renderer, xmlelement(name "renderer-v2",
    xmlattributes('singleSymbol' as type, '0' as symbollevels, '0' as enableorderby, '0' as forceraster),
    xmlelement(name symbols, case
      when view_name = 'state' then analyst_symbol('fill', 0, null, '20,20,20,255', 0.6)
      when view_name = 'lga' then analyst_symbol('fill', 0, null, '60,60,60,255', 0.4)
      when view_name = 'ward' then analyst_symbol('fill', 0, null, '110,110,110,255', 0.2)
      when symbol_kind = 'marker' then analyst_symbol('marker', 0, '0,114,178,255', '255,255,255,255', 0.2)
      when symbol_kind = 'line' then analyst_symbol('line', 0, null, '213,94,0,255', 0.5)
      when layer <> '' and symbol_kind = 'fill' then analyst_symbol('fill', 0, '0,158,115,110', '0,110,80,255', 0.3)
      else analyst_symbol('fill', 0, null, '130,130,130,255', 0.1)
    end)));
  delete from layer_styles
  where f_table_schema = 'analyst' and f_table_name = view_name and stylename = 'frames' and owner = 'frames';
  insert into layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, stylename, styleqml, useasdefault, description, owner)
  values (current_database(), 'analyst', view_name, 'geom', 'frames',
    xmlelement(name qgis, xmlattributes('3.22.0' as version, 'Symbology' as "styleCategories"), renderer),
    not exists (select from layer_styles where f_table_schema = 'analyst' and f_table_name = view_name and useasdefault),
    'Made by the program from what the layer holds.', 'frames');
end $$;
comment on function analyst_style(text, text) is
  'Gives a view of schema analyst its style for QGIS. One saved from QGIS is another row: it stays, and stays the default if it is that.';

create function analyst_dataset(layer text) returns void
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

create function analyst_grants() returns void
  language plpgsql as $$
declare
  reader regrole;
begin
  for reader in
    select grantee from pg_namespace cross join lateral aclexplode(nspacl)
    where nspname = 'analyst' and privilege_type = 'USAGE' and grantee not in (nspowner, 0)
  loop
    execute format('grant select on all tables in schema analyst to %s', reader);
  end loop;
end $$;
comment on function analyst_grants() is 'Lets whoever may use schema analyst read all its views, also those that were made since.';

create function analyst_views() returns void
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
  perform analyst_views_follow('public');
  perform analyst_features(layer_id) from dataset where kind <> 'frames' order by layer_id;
  delete from layer_styles
  where f_table_schema = 'analyst' and owner = 'frames' and to_regclass(format('analyst.%I', f_table_name)) is null;
  -- QGIS asks for the styles of the database by its name: this one may be a copy of another.
  update layer_styles set f_table_catalog = current_database() where f_table_schema = 'analyst' and f_table_catalog <> current_database();
  perform analyst_style(relname, layer_id)
  from pg_class left join dataset on analyst_name(layer_id) = relname
  where relnamespace = 'analyst'::regnamespace and relkind = 'v'
    and not exists (select from layer_styles where f_table_schema = 'analyst' and f_table_name = relname and owner = 'frames');
  perform analyst_grants();
end $$;
comment on function analyst_views() is
  'Makes every view of schema analyst anew, with its style, and drops those of datasets that are gone. "frames migrate" calls it.';

create function analyst_may(analyst regrole) returns void
  language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4170002);
  execute format('grant usage on schema analyst, public to %s', analyst);
  execute format('grant select on layer_styles to %s', analyst);
  perform analyst_grants();
end $$;
comment on function analyst_may(regrole) is
  'Grants a role what an analyst needs: to read schema analyst and the styles of QGIS. "frames migrate" calls it for frames_analyst.';

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
    and not (n.nspname = 'analyst' and (c.relname in ('frame', 'state', 'lga', 'ward') or c.relname in (select analyst_name(layer_id) from dataset)));
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

create or replace function staging_switch(source text) returns bigint
  language plpgsql set client_min_messages = warning as $$
declare
  t text;
  total bigint := (select count(*) from staging.frame);
  now_serving bigint;
begin
  -- Analysts wait for this, callers do not: the tables they read are not locked yet.
  perform analyst_views_follow('staging');
  lock table public.unit_area, public.frame, public.frame_run, public.ward, public.lga, public.state in access exclusive mode;
  foreach t in array index_tables() loop
    execute format('drop table public.%I', t);
    execute format('alter table staging.%I set schema public', t);
  end loop;
  update index_generation
  set generation = generation + 1, frames = total, source = staging_switch.source, switched_at = clock_timestamp()
  returning generation into now_serving;
  return now_serving;
end $$;

-- What makes or changes an index is for its owner alone to call; it would fail for another, but some of it only at its end.
revoke execute on function staging_open(), staging_index(text), staging_switch(text), staging_close(), intake_open(), service_may(regrole),
  analyst_view_put(text, text, text, text[], text[]), analyst_units(text), analyst_baseline(text, text), analyst_features(text),
  analyst_views_follow(text), analyst_style(text, text), analyst_dataset(text), analyst_grants(), analyst_views(), analyst_may(regrole)
  from public;

select analyst_views();
