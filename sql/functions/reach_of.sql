-- reach_of: a box in degrees that holds every place within a distance of a shape.
--   shape   in WGS 84
--   metres  the distance
-- A degree has 110 km at least to the north, and to the east as many as at the latitude farthest from the equator. Beyond
-- 89 degrees, and over the 180th meridian, the box goes around the earth.
create or replace function reach_of(shape geometry, metres numeric) returns geometry
  language sql immutable parallel safe as $$
  select ST_Expand(shape, case
      when latitude >= 89 then 360
      when greatest(abs(ST_XMin(shape)), abs(ST_XMax(shape))) + north / cos(radians(latitude)) >= 180 then 360
      else north / cos(radians(latitude))
    end, north)
  from (select (metres + 1)::float8 / 110000 as north) as reach
  cross join lateral (select greatest(abs(ST_YMin(shape)), abs(ST_YMax(shape))) + north as latitude) as edge
$$;
comment on function reach_of(geometry, numeric) is 'A box in degrees that holds every place within a distance of a shape.';
