-- frames_at: the frame that contains each point, with the place of the point, from 1; no row for a point off the grid.
--   lons, lats  degrees, WGS 84; a latitude for each longitude
-- The rule for edges, and the rights, are those of frame_at. One call for many points costs a third of a call for each.
create or replace function frames_at(lons float8[], lats float8[]) returns table (place bigint, frame_id bigint)
  language sql stable strict parallel safe security definer set search_path = pg_catalog, public, pg_temp as $$
  select asked.place, found.frame_id
  from unnest(lons, lats) with ordinality as asked (lon, lat, place)
  cross join lateral (
    select min(covering.frame_id) as frame_id
    from (
      select frame.frame_id from frame where ST_Covers(frame.geom, ST_SetSRID(ST_MakePoint(asked.lon, asked.lat), 4326)) offset 0
    ) as covering
  ) as found
  where found.frame_id is not null
  order by asked.place
$$;
comment on function frames_at(float8[], float8[]) is
  'The frame that contains each point (degrees, WGS 84), with the place of the point in the arrays, from 1. A point off the grid has no row. On a shared edge the lowest id answers.';
revoke execute on function frames_at from public;
