-- items_of_baseline: a page of a baseline on frames that touch an area and pass a filter, as GeoJSON.
--   $1 layer   text
--   $2 area    text    JSON
--   $3 filter  text    JSON
--   $4 crs     int     as shape_out has it
--   $5 after   bigint  -1 at first
--   $6 look    int
--   $7 most    int
-- index: frame_pkey, baseline_row_pkey, unit_area_once, attribute_pkey
-- budget: buffers <= 800, rows read <= 12000
-- at worst: buffers <= 70000, rows read <= 80000
-- example: 'lyr_population', '{"wkt":"POINT(0.205 0.105)","crs":84}', '{"terms":[]}', 84, -1, 4, 3
with sieve as materialized (  -- the filter: a path that is true of the terms of an item, or null, which passes all
  select given ->> 'path' as path, given -> 'values' as values, given -> 'terms' as terms, given -> 'unit' as unit,
    shape_in(given #>> '{shape,wkt}', (given #>> '{shape,crs}')::int) as shape, (given #>> '{shape,holds}')::boolean as holds
  from (select $3::text::jsonb as given) as filter
), term as materialized (  -- what the path reads of an item
  select each.key, each.name, each.kind, each.pattern
  from sieve
  cross join jsonb_to_recordset(sieve.terms) as each (key text, name text, kind text, pattern text)
), region as materialized (  -- the area; and the unit that must hold, and boxes outside of which nothing passes
  select asked.area, unit ->> 'state' as state, unit ->> 'lga' as lga, unit ->> 'ward' as ward, case when sieve.holds then ST_Envelope(sieve.shape) else asked.area end as shape_box,
    case when sieve.unit is null then asked.area else (
      select ST_Envelope(geom) from unit_area
      where state = unit ->> 'state' and coalesce(lga, '') = coalesce(unit ->> 'lga', '') and coalesce(ward, '') = coalesce(unit ->> 'ward', '')
    ) end as unit_box
  from sieve
  cross join (select shape_in($2::text::jsonb ->> 'wkt', ($2::text::jsonb ->> 'crs')::int) as area) as asked
), layer as materialized (  -- one row for each attribute; a unit of the frame keeps its name
  select dataset.version, attribute.name, attribute.type,
    case when attribute.name in ('state', 'lga', 'ward') then 'recorded_' else '' end || attribute.name as member
  from dataset
  join attribute using (layer_id)
  where layer_id = $1::text and kind = 'frames'
), looked as (  -- the rows looked at, run after run, in the order of ids
  select member.frame_id, member.passes, member.odd, member.feature
  from (
    select first_id, last_id
    from region
    cross join frame_run
    where last_id > $5::bigint and extent && region.area and extent && region.shape_box and extent && region.unit_box
    order by first_id
  ) as run
  cross join lateral (
    select inside.frame_id, tested.passes, read.odd, case when tested.passes then
        '"geometry":' || shape_out(inside.geom, inside.geojson, $4::int) || ',"properties":' || (
          -- the opening brace of one object and the closing one of the other come off
          select rtrim(row_to_json(located)::text, '}') || ',' || substr(json_object_agg(layer.member, case
              when layer.type <> 'number' then to_json(value.text)
              -- most numbers have the simple form; the expression of plain_number takes four times as long
              when length(value.text) <= 30 and value.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then value.text::json
              else to_json(plain_number(value.text))
            end)::text, 2)
          from layer
          cross join lateral (select inside.recorded ->> layer.name as text offset 0) as value
        )
      end as feature
    from (
      select frame.*, recorded
      from baseline_row
      join frame using (frame_id)
      where version = (select version from layer limit 1) and frame_id between run.first_id and run.last_id and frame_id > $5::bigint
      order by frame_id offset 0
    ) as inside
    cross join region
    cross join sieve
    cross join lateral (  -- the terms of the row; odd: values of number attributes that are no plain numbers
      select jsonb_object_agg(term.key, held.value) filter (where held.value is not null) as item,
        count(*) filter (where term.kind = 'number' and held.value is null and btrim(field.text) <> '') as odd
      from term
      cross join lateral (select case
          when term.name not like 'recorded:%' then case term.name when 'state' then inside.state when 'lga' then inside.lga else inside.ward end
          else inside.recorded ->> substr(term.name, 10)
        end as text) as field
      cross join lateral (select case term.kind
          when 'number' then to_jsonb(plain_number(field.text))
          when 'text' then to_jsonb(field.text)
          when 'like' then to_jsonb(field.text like term.pattern)
          when 'shape' then to_jsonb(ST_Intersects(inside.geom, sieve.shape))
        end as value) as held
    ) as read
    cross join lateral (  -- "offset 0": evaluated once
      select sieve.path is null or coalesce(jsonb_path_match(coalesce(read.item, '{}'), sieve.path::jsonpath, sieve.values), false) as passes offset 0
    ) as tested
    cross join lateral (select inside.state, inside.lga, inside.ward) as located
    where inside.state is not distinct from coalesce(region.state, inside.state) and inside.lga is not distinct from coalesce(region.lga, inside.lga)
      and inside.ward is not distinct from coalesce(region.ward, inside.ward)
      and inside.geom && region.shape_box and ST_Intersects(inside.geom, region.area)
    order by inside.frame_id
  ) as member
  limit $6::int
), counted as (  -- the same; place: how many passed up to here
  select *, count(*) filter (where passes) over (order by frame_id) as place from looked
)
select
  coalesce(string_agg('{"type":"Feature","id":"' || frame_id || '",' || feature || '}', ',') filter (where place <= $7::int), '') as features,
  (count(feature) filter (where place <= $7::int))::int as shown,
  coalesce((max(frame_id) filter (where passes and place <= $7::int))::text, '') as shown_last,
  coalesce(max(place) > $7::int, false)::int as has_more,
  coalesce(max(frame_id), -1)::text as last,
  count(*)::int as looked,
  coalesce(sum(odd) filter (where place <= $7::int), 0)::int as odd
from counted
