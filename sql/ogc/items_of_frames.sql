-- items_of_frames: a page of the frames that touch an area and pass a filter, as GeoJSON.
--   $1 area    text    JSON
--   $2 filter  text    JSON
--   $3 crs     int     as shape_out has it
--   $4 after   bigint  -1 at first
--   $5 look    int
--   $6 most    int
-- index: frame_pkey, unit_area_once
-- budget: buffers <= 800, rows read <= 12000
-- at worst: buffers <= 6000, rows read <= 40000
-- example: '{"wkt":"POINT(0.205 0.105)","crs":84}', '{"terms":[]}', 84, -1, 4, 3
with sieve as materialized (  -- the filter: a path that is true of the terms of an item, or null, which passes all
  select given ->> 'path' as path, given -> 'values' as values, given -> 'terms' as terms, given -> 'unit' as unit,
    shape_in(given #>> '{shape,wkt}', (given #>> '{shape,crs}')::int) as shape, (given #>> '{shape,holds}')::boolean as holds
  from (select $2::text::jsonb as given) as filter
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
  cross join (select shape_in($1::text::jsonb ->> 'wkt', ($1::text::jsonb ->> 'crs')::int) as area) as asked
), looked as (  -- the frames looked at, run after run, in the order of ids; "offset 0" keeps GiST out
  select member.frame_id, member.passes, 0 as odd, member.feature
  from (
    select first_id, last_id
    from region
    cross join frame_run
    where last_id > $4::bigint and extent && region.area and extent && region.shape_box and extent && region.unit_box
    order by first_id
  ) as run
  cross join lateral (
    select inside.frame_id, tested.passes, case when tested.passes then
        '"geometry":' || shape_out(inside.geom, inside.geojson, $3::int) || ',"properties":' || row_to_json(property)
      end as feature
    from (
      select * from frame where frame_id between run.first_id and run.last_id and frame_id > $4::bigint
      order by frame_id offset 0
    ) as inside
    cross join region
    cross join sieve
    cross join lateral (  -- the terms of the frame
      select jsonb_object_agg(term.key, held.value) filter (where held.value is not null) as item
      from term
      cross join lateral (select case term.name
          when 'state' then inside.state when 'stateCode' then inside.state_code when 'lga' then inside.lga
          when 'lgaCode' then inside.lga_code when 'ward' then inside.ward when 'wardCode' then inside.ward_code
          when 'zone' then inside.zone when 'zoneCode' then inside.zone_code when 'km2' then inside.area_km2::text
        end as text) as field
      cross join lateral (select case term.kind
          when 'number' then to_jsonb(field.text::numeric)
          when 'text' then to_jsonb(field.text)
          when 'like' then to_jsonb(field.text like term.pattern)
          when 'shape' then to_jsonb(ST_Intersects(inside.geom, sieve.shape))
        end as value) as held
    ) as read
    cross join lateral (  -- "offset 0": evaluated once
      select sieve.path is null or coalesce(jsonb_path_match(coalesce(read.item, '{}'), sieve.path::jsonpath, sieve.values), false) as passes offset 0
    ) as tested
    cross join lateral (  -- the properties
      select inside.state, inside.state_code as "stateCode", inside.lga, inside.lga_code as "lgaCode", inside.ward,
        inside.ward_code as "wardCode", inside.zone, inside.zone_code as "zoneCode", inside.area_km2 as km2
    ) as property
    where inside.state is not distinct from coalesce(region.state, inside.state) and inside.lga is not distinct from coalesce(region.lga, inside.lga)
      and inside.ward is not distinct from coalesce(region.ward, inside.ward)
      and inside.geom && region.shape_box and ST_Intersects(inside.geom, region.area)
    order by inside.frame_id
  ) as member
  limit $5::int
), counted as (  -- the same; place: how many passed up to here
  select *, count(*) filter (where passes) over (order by frame_id) as place from looked
)
select
  coalesce(string_agg('{"type":"Feature","id":"' || frame_id || '",' || feature || '}', ',') filter (where place <= $6::int), '') as features,
  (count(feature) filter (where place <= $6::int))::int as shown,
  coalesce((max(frame_id) filter (where passes and place <= $6::int))::text, '') as shown_last,
  coalesce(max(place) > $6::int, false)::int as has_more,
  coalesce(max(frame_id), -1)::text as last,
  count(*)::int as looked,
  coalesce(sum(odd) filter (where place <= $6::int), 0)::int as odd
from counted
