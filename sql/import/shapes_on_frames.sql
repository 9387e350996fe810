-- shapes_on_frames: what staged shapes give the next frames by area, for each value of each property.
--   $1 after       bigint  the last frame of the page before
--   $2 most        int     frames of a page
--   $3 properties  text[]
-- example: '-1', 10, '{cover}'
-- "share" is the part of the frame that shapes of the value cover, "number" the sum of their numbers, each by the part of
-- its shape that lies in the frame. Areas are those of a plane of equal areas.
with page as materialized (  -- the frames
  select frame_id, ST_Transform(geom, 6933) as geom from frame where frame_id > $1::bigint order by frame_id limit $2::int
), met as materialized (  -- the area that a shape has in a frame, and as a whole
  select page.frame_id, part.number, part.of_shape, sum(part.area) as area
  from page
  cross join lateral (
    select shape_part.number, shape_part.of_shape, ST_Area(ST_Intersection(shape_part.geom, page.geom)) as area
    from staging.shape_part
    where ST_Intersects(shape_part.geom, page.geom)
    offset 0
  ) as part
  group by page.frame_id, part.number, part.of_shape
), valued as (  -- the values of the shapes that were met
  select met.frame_id, property.place, btrim(source.properties::json ->> property.name) as value, met.area, met.of_shape
  from met
  join staging.feature_source as source using (number)
  cross join unnest($3::text[]) with ordinality as property (name, place)
  -- a shape that only touches the frame has nothing in it but what rounding leaves
  where met.area > 1e-12 * met.of_shape and met.area > 1e-6
), summed as (  -- one row for each value
  select frame_id, place, value, sum(area) as area, sum(plain_number(value)::float8 * area / of_shape) as number
  from valued
  where value <> ''
  group by frame_id, place, value
)
select page.frame_id::text as id,
  (
    select json_agg(json_build_object('place', place::int, 'value', value, 'share', summed.area / ST_Area(page.geom), 'number', number) order by place, value collate "C")
    from summed
    where summed.frame_id = page.frame_id
  ) as values
from page
order by page.frame_id
