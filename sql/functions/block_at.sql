-- block_at: the block of 0.1 degrees that a point lies in: row * 3600 + column.
--   lon, lat  degrees
-- Rows count from 90 degrees south, columns from 180 degrees west. A frame lies in the block of its box's centre: its
-- corner may lie on the edge of the next block.
create or replace function block_at(lon float8, lat float8) returns bigint
  language sql immutable parallel safe
  return (floor(lat * 10 + 900) * 3600 + floor(lon * 10 + 1800))::bigint;
comment on function block_at(float8, float8) is 'The block of 0.1 degrees that a point lies in: row * 3600 + column, from 90 degrees south and 180 degrees west.';
