-- analyst.frames_around: the frames at most so many rings of cells away from a frame, itself included, in ring 0.
--   around  the frame
--   rings   0 to 100
-- Ring 1 holds the eight cells around the cell of the frame, where they have frames. A cell without a frame, such as
-- one of water, counts as a cell. Ids of an imported index need not tell where a frame lies, so the boxes do: a cell is
-- as wide and as high as the largest box of the first 100 frames, and a frame lies in the cell of its box's centre.
create or replace function analyst.frames_around(around bigint, rings int)
  returns table (frame_id bigint, geom geometry, state text, lga text, ward text, km2 numeric, ring int)
  language plpgsql stable strict parallel safe as $$
#variable_conflict use_column
declare
  whole record;
  middle record;
begin
  if rings not between 0 and 100 then
    raise exception 'rings: % came, 0 to 100 are accepted.', rings using errcode = 'invalid_parameter_value';
  end if;
  select max(max_lon - min_lon) as width, max(max_lat - min_lat) as height,
    (array_agg(min_lon order by max_lon - min_lon desc))[1] as west, (array_agg(min_lat order by max_lat - min_lat desc))[1] as south
  into whole
  from (select min_lon, min_lat, max_lon, max_lat from analyst.frame order by frame_id limit 100) as first;
  select floor(((min_lon + max_lon) / 2 - whole.west) / whole.width) as col, floor(((min_lat + max_lat) / 2 - whole.south) / whole.height) as row
  into middle
  from analyst.frame where frame_id = around;
  return query
  select placed.frame_id, placed.geom, placed.state, placed.lga, placed.ward, placed.km2,
    greatest(abs(placed.col - middle.col), abs(placed.row - middle.row))::int
  from (
    select frame.*, floor(((min_lon + max_lon) / 2 - whole.west) / whole.width) as col,
      floor(((min_lat + max_lat) / 2 - whole.south) / whole.height) as row
    from analyst.frame
    where geom && ST_MakeEnvelope(
      whole.west + (middle.col - rings) * whole.width, whole.south + (middle.row - rings) * whole.height,
      whole.west + (middle.col + rings + 1) * whole.width, whole.south + (middle.row + rings + 1) * whole.height, 4326)
  ) as placed
  where abs(placed.col - middle.col) <= rings and abs(placed.row - middle.row) <= rings
  order by 7, 1;
end $$;
comment on function analyst.frames_around(bigint, int) is
  'The frames at most so many rings of cells away from a frame, with the ring of each: 0 for the frame itself, 1 for those of the eight cells around it.';
