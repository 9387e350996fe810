-- frame_units_keep: fills table frame_unit with the lowest unit and the block of each frame.
-- units_keep calls it, in schema staging for a new index.
create or replace function frame_units_keep() returns void
  language plpgsql as $$
begin
  delete from frame_unit;
  -- Rows lie in the order of ids, as those of baselines do.
  insert into frame_unit (frame_id, home_id, block_id)
  select frame.frame_id, home.unit_id,
    10000000 + block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, (ST_YMin(frame.geom) + ST_YMax(frame.geom)) / 2)
  from frame
  left join unit as home on home.state = frame.state and home.lga = frame.lga and coalesce(home.ward, '') = coalesce(frame.ward, '')
  order by frame.frame_id;
end $$;
comment on function frame_units_keep() is 'Fills table frame_unit with the lowest unit and the block of each frame.';
revoke execute on function frame_units_keep from public;
