-- shapes_at_middles: the values of the staged shape that holds the middle of each of the next frames, the first in the file.
--   $1 after       bigint  the last frame of the page before
--   $2 most        int     frames of a page
--   $3 properties  text[]
-- example: '-1', 10, '{cover}'
with page as materialized (  -- the frames
  select frame_id, ST_Transform(ST_PointOnSurface(geom), 6933) as middle from frame where frame_id > $1::bigint order by frame_id limit $2::int
), held as (  -- the shape of each
  select page.frame_id, holder.number
  from page
  left join lateral (
    select min(number) as number
    from (
      select shape_part.number from staging.shape_part where ST_Intersects(shape_part.geom, page.middle) offset 0
    ) as touching
  ) as holder on true
)
select held.frame_id::text as id,
  (
    select json_agg(json_build_object('place', place::int, 'value', value, 'share', 1, 'number', plain_number(value)::float8) order by place)
    from (
      select property.place, btrim(source.properties::json ->> property.name) as value
      from unnest($3::text[]) with ordinality as property (name, place)
    ) as valued
    where value <> ''
  ) as values
from held
left join staging.feature_source as source using (number)
order by held.frame_id
