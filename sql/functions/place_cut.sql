-- place_cut: a place as units whose totals are kept, and the frames beside them with the share of each that lies inside.
--   place  a frame_set
-- A unit is itself. A box or a shape has the blocks that lie wholly inside, and the frames of the others that touch it. Ids
-- are frames. Each branch has a plan of its own.
create or replace function place_cut(place text[])
  returns table (unit_id bigint, frame_id bigint, frames bigint, km2 numeric, part numeric)
  language plpgsql stable set jit = off as $$
#variable_conflict use_column
declare
  asked text[] := place;
  area geometry := area_of_set(asked);
begin
  if asked[1] = 'unit' then
    return query
    select unit.unit_id, null::bigint, unit.frames, unit.km2, 1::numeric
    from unit
    where level = (array['country', 'state', 'lga', 'ward'])[cardinality(asked)] and coalesce(state, '') = coalesce(fold_name(asked[2]), '')
      and coalesce(lga, '') = coalesce(fold_name(asked[3]), '') and coalesce(ward, '') = coalesce(fold_name(asked[4]), '')
      and coalesce(block, -1) = -1;
  elsif area is null then
    return query
    select null::bigint, frame.frame_id, 1::bigint, frame.area_km2, 1::numeric
    from unnest(asked::bigint[]) as id (frame_id)
    join frame using (frame_id);
  else
    return query
    with piece as materialized (  -- the area in pieces: each is intersected with few frames
      select ST_Subdivide(area, 128) as geom
    ), near as materialized (  -- the blocks with frames at the area: a frame may reach out of its block
      select unit.unit_id, unit.block, unit.frames, unit.km2, edge.geom, placed.is_inside
      from (
        select floor(ST_YMin(area) * 10)::int + 899 as first_row, floor(ST_YMax(area) * 10)::int + 901 as last_row,
          floor(ST_XMin(area) * 10)::int + 1799 as first_column, floor(ST_XMax(area) * 10)::int + 1801 as last_column
      ) as span
      -- the numbers of blocks grow by rows: one range holds the rows, and else every block of the country would be read
      join unit on unit.unit_id between 10000000 + first_row * 3600 + first_column and 10000000 + last_row * 3600 + last_column
        and unit.block % 3600 between first_column and last_column
      cross join lateral (
        select ST_MakeEnvelope(
          unit.block % 3600 / 10.0 - 180, unit.block / 3600 / 10.0 - 90, (unit.block % 3600 + 1) / 10.0 - 180, (unit.block / 3600 + 1) / 10.0 - 90, 4326
        ) as geom
      ) as edge
      cross join lateral (
        -- a hundredth of a degree inside, so that the area covers each frame whose centre is in the block
        select ST_Covers(area, ST_Expand(edge.geom, 0.01)) as is_inside offset 0
      ) as placed
      where placed.is_inside or ST_Intersects(area, ST_Expand(edge.geom, 0.1))
    )
    select near.unit_id, null::bigint, near.frames, near.km2, 1::numeric from near where near.is_inside
    union all
    select null, found.frame_id, 1, found.area_km2, case when found.is_covered then 1 else coalesce(least(1, (
        select sum(ST_Area(ST_Intersection(found.geom, piece.geom))) from piece where piece.geom && found.geom
      ) / ST_Area(found.geom)), 0) end::numeric
    from near
    cross join lateral (
      select frame.frame_id, frame.area_km2, frame.geom, ST_Covers(area, frame.geom) as is_covered
      from frame
      where frame.geom && near.geom and ST_Intersects(area, frame.geom)
        and block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, (ST_YMin(frame.geom) + ST_YMax(frame.geom)) / 2) = near.block
      offset 0
    ) as found
    where not near.is_inside;
  end if;
end $$;
comment on function place_cut(text[]) is 'A place as units whose totals are kept, and the frames beside them with the share of each that lies inside.';
