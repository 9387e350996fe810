-- frames_overlap: frames that share more than a ten-thousandth of a cell with another frame.
--   $1 percent  float8  of the table's pages, looked at; 100 for all
-- index: frame_geom_idx
-- In a grid nearly all boxes only touch; the check leaves those out before the slow comparison.
with asked as materialized (  -- the frames on the pages looked at
  select frame_id, geom from frame tablesample system ($1::float8)
), pair as (  -- one row per frame and other frame that share land
  select one.frame_id as one, other.frame_id as other
  from asked as one
  join frame as other on other.geom && one.geom and other.frame_id <> one.frame_id
  where ST_XMax(one.geom) > ST_XMin(other.geom) and ST_XMax(other.geom) > ST_XMin(one.geom)
    and ST_YMax(one.geom) > ST_YMin(other.geom) and ST_YMax(other.geom) > ST_YMin(one.geom)
    and ST_IsValid(one.geom) and ST_IsValid(other.geom)
    and ST_Relate(one.geom, other.geom, 'T********') and ST_Area(ST_Intersection(one.geom, other.geom)) > 1e-8
)
select 'wrong' as severity,
  'Frames that share land with another: ' || count(distinct one) || ', such as ' || (min(array[one, other]))[1] || ' and ' || (min(array[one, other]))[2]
    || ': a point there has two frames.' as what,
  (
    select regexp_replace(regexp_replace(source, '^built from (.+) and (.+)$', 'npm run -s frames -- build --outline "\1" --wards "\2"'),
      '^imported from (.+)$', 'npm run -s frames -- import frames "\1"')
    from index_generation
  ) as fix
from pair
having count(*) > 0
