-- analyst.block_of: the frames of the block of 0.1 degrees that a frame lies in, each with the number of the block.
--   within  the frame
-- A frame lies in the block of its box's centre, as block_at has it.
create or replace function analyst.block_of(within bigint)
  returns table (block bigint, frame_id bigint, geom geometry, state text, lga text, ward text, km2 numeric)
  language plpgsql stable strict parallel safe as $$
#variable_conflict use_column
declare
  asked bigint := (select block_at((min_lon + max_lon) / 2, (min_lat + max_lat) / 2) from analyst.frame where frame_id = within);
begin
  return query
  select asked, frame.frame_id, frame.geom, frame.state, frame.lga, frame.ward, frame.km2
  from analyst.frame
  where geom && ST_MakeEnvelope(
      asked % 3600 / 10.0 - 180, asked / 3600 / 10.0 - 90, (asked % 3600 + 1) / 10.0 - 180, (asked / 3600 + 1) / 10.0 - 90, 4326)
    and block_at((min_lon + max_lon) / 2, (min_lat + max_lat) / 2) = asked
  order by frame_id;
end $$;
comment on function analyst.block_of(bigint) is
  'The frames of the block of 0.1 degrees that a frame lies in, each with the number of the block: row * 3600 + column, from 90 degrees south and 180 degrees west.';
