-- draws_added: the draws of a modelled attribute, added up by their number over units and frames; null where it has none there.
--   units      units whose draws are kept
--   ids        frames outside them
--   served     the version of the baseline
--   attribute  one that has draws
-- The frames of a block that are all there are such a unit, too: 23,104 frames with 100 draws take 120 ms.
create or replace function draws_added(units bigint[], ids bigint[], served bigint, attribute text) returns numeric[]
  language plpgsql stable parallel safe as $$
#variable_conflict use_column
declare
  subject text := attribute;
begin
  return (
    with placed as materialized (  -- one row per frame, with its block
      select frame_id, block_id from unnest(ids) as id (frame_id) join frame_unit using (frame_id)
    ), block as materialized (  -- the units, and the blocks of which all frames are there
      select unnest(units) as unit_id
      union all
      select unit_id
      from (select block_id as unit_id, count(*) as frames from placed group by block_id) as part
      join unit using (unit_id)
      where unit.frames = part.frames
    ), kept as (  -- the draws to add up
      select found.draws
      from block
      cross join lateral (
        select draws from unit_interval where version = served and attribute = subject and unit_id = block.unit_id limit 1
      ) as found
      union all
      select found.draws
      from placed
      cross join lateral (
        select draws from frame_interval where version = served and attribute = subject and frame_id = placed.frame_id limit 1
      ) as found
      where placed.block_id not in (select unit_id from block)
    )
    select array_agg(number order by n)
    from (
      select draw.n, sum(draw.number) as number
      from kept
      cross join lateral unnest(kept.draws) with ordinality as draw (number, n)
      group by draw.n
    ) as summed
  );
end $$;
comment on function draws_added(bigint[], bigint[], bigint, text) is 'The draws of a modelled attribute, added up by their number over units and frames.';
