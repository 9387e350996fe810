-- items_of_units: a page of the states, areas or wards that touch an area and pass a filter, as GeoJSON.
--   $1 level   text    state, lga or ward
--   $2 area    text    JSON
--   $3 filter  text    JSON
--   $4 crs     int     as shape_out has it
--   $5 after   bigint  -1 at first
--   $6 look    int
--   $7 most    int
-- index: unit_area_pkey, state_pkey, lga_pkey, ward_pkey
-- budget: buffers <= 2000, rows read <= 12000
-- at worst: buffers <= 60000, rows read <= 40000
-- example: 'lga', '{"wkt":"POINT(0.205 0.105)","crs":84}', '{"terms":[]}', 84, -1, 20, 3
with sieve as materialized (  -- the filter: a path that is true of the terms of an item, or null, which passes all
  select given ->> 'path' as path, given -> 'values' as values, given -> 'terms' as terms, given -> 'unit' as unit,
    shape_in(given #>> '{shape,wkt}', (given #>> '{shape,crs}')::int) as shape, (given #>> '{shape,holds}')::boolean as holds
  from (select $3::text::jsonb as given) as filter
), term as materialized (  -- what the path reads of an item
  select each.key, each.name, each.kind, each.pattern
  from sieve
  cross join jsonb_to_recordset(sieve.terms) as each (key text, name text, kind text, pattern text)
), region as materialized (  -- the area, and a box outside of which nothing passes: of the shape that must hold
  select asked.area, case when sieve.holds then ST_Envelope(sieve.shape) else asked.area end as shape_box
  from sieve
  cross join (select shape_in($2::text::jsonb ->> 'wkt', ($2::text::jsonb ->> 'crs')::int) as area) as asked
), looked as (  -- the units looked at, in the order of their numbers
  select inside.unit_id, read.passes, 0 as odd, case when read.passes then
      '"geometry":' || shape_out(ST_ForcePolygonCCW(inside.geom), null, $4::int) || ',"properties":' || inside.property
    end as feature
  from (
    select area.unit_id, area.geom, case $1::text
        when 'state' then json_build_object('state', area.state, 'stateCode', state.state_code, 'zone', state.zone, 'zoneCode', state.zone_code,
          'frames', state.frames, 'km2', area.area_km2)
        when 'lga' then json_build_object('state', area.state, 'lga', area.lga, 'lgaCode', lga.lga_code, 'frames', lga.frames, 'km2', area.area_km2)
        else json_build_object('state', area.state, 'lga', area.lga, 'ward', area.ward, 'wardCode', ward.ward_code, 'frames', ward.frames, 'km2', area.area_km2)
      end as property
    from unit_area as area
    left join state on state.state = area.state
    left join lga on lga.state = area.state and lga.lga = area.lga
    left join ward on ward.state = area.state and ward.lga = area.lga and ward.ward = area.ward
    where area.unit_id > $5::bigint and (area.lga is null) = ($1::text = 'state') and (area.ward is not null) = ($1::text = 'ward')
    order by area.unit_id
    limit $6::int
  ) as inside
  cross join region
  cross join sieve
  cross join lateral (  -- the terms of the unit
      select jsonb_object_agg(term.key, held.value) filter (where held.value is not null) as item
      from term
      cross join lateral (select inside.property ->> term.name as text) as field
      cross join lateral (select case term.kind
          when 'number' then to_jsonb(field.text::numeric)
          when 'text' then to_jsonb(field.text)
          when 'like' then to_jsonb(field.text like term.pattern)
          when 'shape' then to_jsonb(ST_Intersects(inside.geom, sieve.shape))
        end as value) as held
    ) as terms
  cross join lateral (
    select inside.geom && region.shape_box and ST_Intersects(inside.geom, region.area)
      and (sieve.path is null or coalesce(jsonb_path_match(coalesce(terms.item, '{}'), sieve.path::jsonpath, sieve.values), false)) as passes
    offset 0
  ) as read
), counted as (  -- the same; place: how many passed up to here
  select *, count(*) filter (where passes) over (order by unit_id) as place from looked
)
select
  coalesce(string_agg('{"type":"Feature","id":"' || unit_id || '",' || feature || '}', ',') filter (where place <= $7::int), '') as features,
  (count(feature) filter (where place <= $7::int))::int as shown,
  coalesce((max(unit_id) filter (where passes and place <= $7::int))::text, '') as shown_last,
  coalesce(max(place) > $7::int, false)::int as has_more,
  coalesce(max(unit_id), -1)::text as last,
  count(*)::int as looked,
  coalesce(sum(odd) filter (where place <= $7::int), 0)::int as odd
from counted
