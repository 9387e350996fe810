-- features_added: the features on frames, their length in km or area in km², and what blocks beside these count twice.
--   ids, parts  frames, and the share of each that lies inside a place
--   blocks      blocks whose totals are added up beside
--   area        the box or the shape that cuts frames; null where none is cut
--   layers      datasets: the others are left out
-- "by_area" counts the features that touch the area itself.
create or replace function features_added(ids bigint[], parts numeric[], blocks bigint[], area geometry, layers text[])
  returns table (layer bigint, name text, total numeric, recorded bigint, total_by_area numeric)
  language plpgsql stable set jit = off as $$
#variable_conflict use_column
begin
  return query
  with listed as materialized (  -- one row for each figure
    select * from figures_listed(layers) where kind <> 'frames'
  ), met as materialized (  -- one row for each block and feature of it that lies in other blocks too, and for each frame and feature on it
    select listed.layer, found.feature_no, null::bigint as frame_id, null::float8 as extent, true as touches
    from listed
    cross join lateral (
      select unit_id, feature_no from block_feature
      where block_feature.version = listed.version and unit_id between (select min(block) from unnest(blocks) as block) and (select max(block) from unnest(blocks) as block)
      offset 0
    ) as found
    join unnest(blocks) as block (unit_id) using (unit_id)
    where listed.name = 'features'
    union all
    select listed.layer, found.feature_no, cell.frame_id, found.extent, cell.part = 1 or exists (
        -- "offset 0" keeps GiST out
        select from (
          select geom from feature where feature.version = listed.version and feature.feature_no = found.feature_no offset 0
        ) as one
        where ST_Intersects(area, one.geom)
      )
    from listed
    cross join unnest(ids, parts) as cell (frame_id, part)
    cross join lateral (
      select feature_no, extent from feature_frame where feature_frame.version = listed.version and feature_frame.frame_id = cell.frame_id offset 0
    ) as found
    where listed.name = 'features'
  ), added as (  -- one row for each dataset; features of several blocks are in the totals of each, and count once
    select met.layer, count(distinct feature_no) - count(*) filter (where frame_id is null) as features, count(distinct frame_id) as frames,
      count(distinct feature_no) filter (where touches) - count(*) filter (where frame_id is null) as touching,
      sum(extent)::numeric / 1000000 as extent
    from met
    group by met.layer
  )
  select listed.layer, listed.name, case summary when 'count' then features else extent end, frames, case summary when 'count' then touching::numeric end
  from listed
  join added using (layer);
end $$;
comment on function features_added(bigint[], numeric[], bigint[], geometry, text[]) is 'The features on frames, and their length or area.';
