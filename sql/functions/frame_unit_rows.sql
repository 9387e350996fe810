-- frame_unit_rows: what table frame_unit has: the lowest unit and the block of each frame, in the order of ids.
create or replace function frame_unit_rows() returns table (frame_id bigint, home_id bigint, block_id bigint)
  language sql stable as $$
  select frame.frame_id, home.unit_id,
    10000000 + block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, (ST_YMin(frame.geom) + ST_YMax(frame.geom)) / 2)
  from frame
  left join unit as home on home.state = frame.state and home.lga = frame.lga and coalesce(home.ward, '') = coalesce(frame.ward, '')
  -- those of baselines lie in the same order
  order by frame.frame_id
$$;
comment on function frame_unit_rows() is 'What table frame_unit has: the lowest unit and the block of each frame.';
