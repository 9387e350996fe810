-- frames_overlapping: the first ten staged frames that share land with an earlier one; no row when all only touch.
-- index: frame_geom_idx
-- sql/doctor/frames_overlap.sql has the same limits. In a grid nearly all boxes only touch: these are left out before
-- the slow comparison. A file of one shape again and again has billions of pairs, so the search ends at 1,000.
with pair as materialized (  -- one row per two frames that share more than a ten-thousandth of a cell
  select one.frame_id as one, other.frame_id as other, ST_Area(ST_Intersection(one.geom, other.geom)::geography) / 1e6 as km2
  from staging.frame as one
  join staging.frame as other on other.geom && one.geom and other.frame_id < one.frame_id
  where ST_XMax(one.geom) > ST_XMin(other.geom) and ST_XMax(other.geom) > ST_XMin(one.geom)
    and ST_YMax(one.geom) > ST_YMin(other.geom) and ST_YMax(other.geom) > ST_YMin(one.geom)
    and ST_Relate(one.geom, other.geom, 'T********') and ST_Area(ST_Intersection(one.geom, other.geom)) > 1e-8
  limit 1000
), named as materialized (  -- their features: the table has no statistics, and its join to itself took four minutes
  select number, line, frame_id from staging.frame_source
  where frame_id in (select one from pair union select other from pair)
)
select later.number as number, later.line as line,
  'id ' || later.frame_id || ' shares ' || round(km2::numeric, 6) || ' km² with id ' || earlier.frame_id || ', feature ' || earlier.number
    || ' on line ' || earlier.line || ': a point there would have two frames' as reason
from pair
join named as later on later.frame_id in (one, other)
join named as earlier on earlier.frame_id in (one, other) and earlier.number < later.number
order by later.number, earlier.number
limit 10
