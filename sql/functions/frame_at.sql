-- frame_at: the frame that contains a point, or null for a point off the grid.
--   lon, lat  degrees, WGS 84
-- A point on a shared edge lies in up to four frames: the lowest id answers, as in sql/frames_at.sql. A test compares
-- them. The function runs with the rights of its owner, because an analyst may not read the table.
create or replace function frame_at(lon float8, lat float8) returns bigint
  language sql stable strict parallel safe security definer set search_path = pg_catalog, public, pg_temp as $$
  -- "offset 0" keeps the planner from walking the primary key in id order until it meets the point
  select min(frame_id)
  from (select frame_id from frame where ST_Covers(frame.geom, ST_SetSRID(ST_MakePoint(lon, lat), 4326)) offset 0) as covering
$$;
comment on function frame_at(float8, float8) is
  'The frame that contains a point (degrees, WGS 84), or null for a point off the grid. On a shared edge the lowest id answers, as in GET /v1/frames/at.';
revoke execute on function frame_at from public;
