-- frame_run_rows: what table frame_run has: frames in the order of ids, cut into runs of 256 with the extent of each.
-- sql/frames_in_box.sql walks the runs of a large box.
create or replace function frame_run_rows() returns table (first_id bigint, last_id bigint, extent geometry)
  language sql stable as $$
  select min(frame_id), max(frame_id), ST_SetSRID(ST_Extent(geom)::geometry, 4326)
  from (select frame_id, geom, (row_number() over (order by frame_id) - 1) / 256 as run from frame) as numbered
  group by run
  order by run
$$;
comment on function frame_run_rows() is 'What table frame_run has: frames in the order of ids, cut into runs of 256 with the extent of each.';
