-- items_of_baseline: a page of a baseline on frames that touch an area and pass a filter, as GeoJSON.
--   $1 layer   text
--   $2 area    text    JSON; {} is everywhere
--   $3 filter  text    JSON
--   $4 crs     int
--   $5 after   bigint
--   $6 look    int
--   $7 most    int
-- index: frame_geom_idx, frame_state_frame_id_idx, frame_pkey, baseline_row_pkey, unit_area_once, attribute_pkey
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
), region as materialized (  -- the area; the unit that must hold; three boxes outside of which nothing passes, or none
  select area, unit ->> 'state' as state, unit ->> 'lga' as lga, unit ->> 'ward' as ward,
    -- what lies in inner_box touches the area: a polygon as large as its box is one; GiST keeps boxes as float4
    case when ST_NPoints(area) = 5 and ST_Area(area) = ST_Area(ST_Envelope(area)) and least(ST_XMax(area) - ST_XMin(area), ST_YMax(area) - ST_YMin(area)) > 0.001
      then ST_Expand(area, -0.0001) end as inner_box,
    coalesce(area, shape_box, unit_box) as area_box, coalesce(shape_box, area, unit_box) as shape_box,
    case when unit is null then coalesce(area, shape_box) else unit_box end as unit_box,
    case when area is not null or shape_box is not null or unit ->> 'lga' is not null then 'box' when unit is null then 'all' else 'state' end as way
  from (
    select unit, shape_in(given ->> 'wkt', (given ->> 'crs')::int) as area, case when holds then ST_Envelope(shape) end as shape_box, (
        select ST_Envelope(geom) from unit_area
        where state = unit ->> 'state' and coalesce(lga, '') = coalesce(unit ->> 'lga', '') and coalesce(ward, '') = coalesce(unit ->> 'ward', '')
      ) as unit_box
    from sieve
    cross join (select $2::text::jsonb as given) as place
    offset 0
  ) as asked
), layer as materialized (  -- one row for each attribute; a unit of the frame keeps its name
  select dataset.version, attribute.name, attribute.type,
    case when attribute.name in ('state', 'lga', 'ward') then 'recorded_' else '' end || attribute.name as member
  from dataset
  join attribute using (layer_id)
  where layer_id = $1::text and kind = 'frames'
), found as materialized (  -- what GiST finds, where a box or a shape bounds it; of three boxes the planner expects few
  select frame_id
  from frame
  where (select way from region) = 'box' and frame_id > $5::bigint
    and geom && (select area_box from region) and geom && (select shape_box from region) and geom && (select unit_box from region)
  limit 20001
), candidate as (  -- in the order of ids: up to 20,000 found, a state by its index, or run after run of many and of all
  select frame.frame_id, geom, geojson, state, lga, ward, recorded
  from (select frame_id from found where (select count(*) from found) <= 20000 order by frame_id) as few
  join frame on frame.frame_id = few.frame_id
  join baseline_row as held on held.frame_id = few.frame_id and held.version = (select version from layer limit 1)
  union all
  select * from (  -- "offset 0" keeps the order
    select frame.frame_id, geom, geojson, state, lga, ward, recorded
    from frame
    cross join lateral (
      select recorded from baseline_row where frame_id = frame.frame_id and version = (select version from layer limit 1) offset 0
    ) as held
    where (select way from region) = 'state'
      and (state, frame.frame_id) > ((select state from region), $5::bigint) and (state, frame.frame_id) <= ((select state from region), 9223372036854775807)
    order by frame.state, frame.frame_id
    limit $6::int
  ) as of_state
  union all
  select inside.*
  from (
    select first_id, last_id
    from region
    cross join frame_run
    where last_id > $5::bigint and (way = 'all' or (way = 'box' and (select count(*) from found) > 20000
      and extent && area_box and extent && shape_box and extent && unit_box))
    order by first_id
  ) as run
  cross join lateral (  -- "offset 0" keeps GiST out
    select frame_id, geom, geojson, state, lga, ward, recorded
    from baseline_row
    join frame using (frame_id)
    where version = (select version from layer limit 1) and frame_id between run.first_id and run.last_id and frame_id > $5::bigint
    order by frame_id offset 0
  ) as inside
), looked as (  -- the rows looked at
  select candidate.frame_id, tested.passes, read.odd, case when tested.passes then
      '{"type":"Feature","id":"' || candidate.frame_id || '","geometry":' || shape_out(candidate.geom, candidate.geojson, $4::int) || ',"properties":' || (
        -- the opening brace of one object and the closing one of the other come off
        select rtrim(row_to_json(located)::text, '}') || ',' || substr(json_object_agg(layer.member, case
            when layer.type <> 'number' then to_json(value.text)
            -- most numbers have the simple form; the expression of plain_number takes four times as long
            when length(value.text) <= 30 and value.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then value.text::json
            else to_json(plain_number(value.text))
          end)::text, 2)
        from layer
        cross join lateral (select candidate.recorded ->> layer.name as text offset 0) as value
      ) || '}'
    end as feature
  from candidate
  cross join region
  cross join sieve
  cross join lateral (  -- the terms of the row; odd: values of number attributes that are no plain numbers
    select jsonb_object_agg(term.key, held.value) filter (where held.value is not null) as item,
      count(*) filter (where term.kind = 'number' and held.value is null and btrim(field.text) <> '') as odd
    from term
    cross join lateral (select case
        when term.name not like 'recorded:%' then case term.name when 'state' then candidate.state when 'lga' then candidate.lga else candidate.ward end
        else candidate.recorded ->> substr(term.name, 10)
      end as text) as field
    cross join lateral (select case term.kind
        when 'number' then to_jsonb(plain_number(field.text))
        when 'text' then to_jsonb(field.text)
        when 'like' then to_jsonb(field.text like term.pattern)
        when 'shape' then to_jsonb(ST_Intersects(candidate.geom, sieve.shape))
      end as value) as held
    where sieve.path is not null
  ) as read
  cross join lateral (  -- "offset 0": evaluated once
    select sieve.path is null or coalesce(jsonb_path_match(coalesce(read.item, '{}'), sieve.path::jsonpath, sieve.values), false) as passes offset 0
  ) as tested
  cross join lateral (select candidate.state, candidate.lga, candidate.ward) as located
  where case
      when way = 'box' and not (candidate.geom && region.shape_box and coalesce(candidate.state = region.state, region.state is null)
        and coalesce(candidate.lga = region.lga, region.lga is null) and coalesce(candidate.ward = region.ward, region.ward is null)) then false
      when region.area is null or candidate.geom @ region.inner_box then true
      else ST_Intersects(candidate.geom, region.area)
    end
  limit $6::int
), counted as (  -- the same; place: how many passed up to here
  select *, count(*) filter (where passes) over (rows unbounded preceding) as place from looked
)
-- 1,000 features to a row: PostgreSQL takes more time for larger texts, and the service for smaller ones
select
  coalesce(string_agg(feature, ',') filter (where place <= $7::int), '') as features,
  (count(feature) filter (where place <= $7::int))::int as shown,
  coalesce((max(frame_id) filter (where passes and place <= $7::int))::text, '') as shown_last,
  coalesce(max(place) > $7::int, false)::int as has_more,
  coalesce(max(frame_id), -1)::text as last,
  count(*)::int as looked,
  coalesce(sum(odd) filter (where place <= $7::int), 0)::int as odd
from counted
group by place / 1000
order by place / 1000
