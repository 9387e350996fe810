-- raster_frames: stages the frames as shapes in the pixels of a raster, and tells how far they reach there.
--   $1 crs   text      EPSG:4326, ESRI:54009, or a PROJ text
--   $2 grid  float8[]  x and y of the upper left corner, width and height of a pixel (below 0 where rows run south),
--     columns, rows, columns and rows of a window
-- example: 'EPSG:4326', '{0.2,0.2,0.001,-0.001,100,100,64,64}'
-- Window -1 has the frames that touch no pixel.
with grid as (  -- the numbers by their names
  select $2::float8[] as n, ($2::float8[])[5] as columns, ($2::float8[])[6] as rows, ($2::float8[])[7] as wide, ($2::float8[])[8] as high
), numbered as (  -- frames in bundles: PostGIS takes 75 ms to prepare the way to a CRS that a text names, for each call
  select frame_id, geom, row_number() over (order by frame_id) / 5000 as bundle from frame
), bundled as (  -- one collection a bundle; degrees are kept to the last bit, without a way through PROJ
  select array_agg(frame_id order by frame_id) as ids,
    case $1::text when 'EPSG:4326' then ST_Collect(geom order by frame_id) else ST_Transform(ST_Collect(geom order by frame_id), $1::text) end as geoms
  from numbered
  group by bundle
), counted as (  -- every frame again, counted in pixels from the upper left corner
  select frame_id, ST_Scale(ST_Translate(geom, -n[1], -n[2]), 1 / n[3], 1 / n[4]) as shape
  from (
    select ids[part.path[1]] as frame_id, ST_SetSRID(ST_Collect(part.geom), 0) as geom from bundled, ST_Dump(geoms) as part group by ids[part.path[1]]
  ) as frame
  cross join grid
), staged as (  -- a frame is read with the window that has its upper left corner
  insert into staging.raster_frame (window_number, frame_id, shape)
  select
    case when ST_XMin(shape) < columns and ST_XMax(shape) > 0 and ST_YMin(shape) < rows and ST_YMax(shape) > 0
      then floor(greatest(ST_YMin(shape), 0) / high) * ceil(columns / wide) + floor(greatest(ST_XMin(shape), 0) / wide) else -1 end,
    frame_id, shape
  from (select * from counted offset 0) as counted, grid
  order by 1, 2
  returning window_number, ST_XMin(shape) as least_x, ST_YMin(shape) as least_y, ST_XMax(shape) as most_x, ST_YMax(shape) as most_y
)
select
  count(*)::int as frames,
  count(*) filter (where window_number >= 0)::int as covered,
  array[min(least_x), min(least_y), max(most_x), max(most_y)] as reach
from staged
