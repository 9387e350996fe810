-- items_of_features: a page of the features that touch an area and pass a filter, as GeoJSON.
--   $1 layer   text
--   $2 area    text  JSON
--   $3 filter  text  JSON
--   $4 crs     int   as shape_out has it
--   $5 after   int   0 at first
--   $6 look    int
--   $7 most    int
-- index: feature_pkey
-- budget: buffers <= 800, rows read <= 12000
-- at worst: buffers <= 6000, rows read <= 40000
-- example: 'lyr_schools', '{"wkt":"POINT(0.205 0.105)","crs":84}', '{"terms":[]}', 84, 0, 4, 3
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
), looked as (  -- the features looked at, also those outside of the area, in the order of ids
  select inside.feature_no, inside.feature_id, tested.passes, read.odd, case when tested.passes then
      '"geometry":' || shape_out(inside.geom, inside.geojson, $4::int) || ',"properties":' || inside.properties
    end as feature
  from (
    select feature.*
    from feature
    where version = (select version from dataset where layer_id = $1::text and kind <> 'frames') and feature_no > $5::int
    order by feature_no
    limit $6::int
  ) as inside
  cross join region
  cross join sieve
  cross join lateral (  -- the terms of the feature; odd: values of number properties that are no plain numbers
      select jsonb_object_agg(term.key, held.value) filter (where held.value is not null) as item,
        count(*) filter (where term.kind = 'number' and held.value is null and btrim(field.text) <> '') as odd
      from term
      cross join lateral (select readable_json(inside.properties) ->> substr(term.name, 10) as text) as field
      cross join lateral (select case term.kind
          when 'number' then to_jsonb(plain_number(field.text))
          when 'text' then to_jsonb(field.text)
          when 'like' then to_jsonb(field.text like term.pattern)
          when 'shape' then to_jsonb(ST_Intersects(inside.geom, sieve.shape))
        end as value) as held
    ) as read
  cross join lateral (
    select inside.geom && region.shape_box and ST_Intersects(inside.geom, region.area)
      and (sieve.path is null or coalesce(jsonb_path_match(coalesce(read.item, '{}'), sieve.path::jsonpath, sieve.values), false)) as passes
    offset 0
  ) as tested
), counted as (  -- the same; place: how many passed up to here
  select *, count(*) filter (where passes) over (order by feature_no) as place from looked
)
select
  coalesce(string_agg('{"type":"Feature","id":' || to_json(feature_id) || ',' || feature || '}', ',') filter (where place <= $7::int), '') as features,
  (count(feature) filter (where place <= $7::int))::int as shown,
  coalesce((array_agg(feature_id order by feature_no desc) filter (where passes and place <= $7::int))[1], '') as shown_last,
  coalesce(max(place) > $7::int, false)::int as has_more,
  coalesce(max(feature_no), -1)::text as last,
  count(*)::int as looked,
  coalesce(sum(odd) filter (where place <= $7::int), 0)::int as odd
from counted
