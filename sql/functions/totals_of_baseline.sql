-- totals_of_baseline: keeps the totals of a baseline over units, and the spread of its values over frames.
--   layer   the dataset
--   served  its version
-- Reads the rows of the version once for 300 attributes, since a select has at most 1,664 columns, and frames only where
-- an attribute is weighted by area. Adds to unit_total and block_class, and through spread_enter to attribute_spread.
-- total_row has a row for each frame and a column for each attribute. Its numbers are added up over total_part, the pieces
-- into which wards and blocks cut each other, and these over total_whole, the units. totals_keep calls it.
create or replace function totals_of_baseline(layer text, served bigint) returns void
  language plpgsql as $$
declare
  -- Where there are more, a sample of some 10,000 frames is enough for the classes of a map and for a histogram.
  one_in int := greatest(1, (select items / 10000 from dataset where layer_id = layer));
  -- Frames themselves are read only for their areas: they lie on twenty times as many pages.
  by_area bool := exists (select from attribute where layer_id = layer and weight = 'area');
  list record;
  first int;
begin
  for first in select generate_series(1, (select count(*)::int from attribute where layer_id = layer), 300) loop
    select * into list from total_lists(layer, first, first + 299);
    -- The statistics may not have the rows of an import yet. Asked for a version that it does not know, the planner expects
    -- as many rows as of any other.
    execute format($q$
      create temporary table total_row on commit drop as
      select placed.frame_id, placed.home_id, placed.block_id, %s %s
      from baseline_row
      join frame_unit as placed using (frame_id)
      %s
      %s
      where baseline_row.version = (select dataset.version from dataset where layer_id = %L)$q$,
      case when by_area then 'frame.area_km2,' end, list.columns, case when by_area then 'join frame using (frame_id)' end, list.record, layer);
    execute format($q$
      create temporary table total_part on commit drop as
      select row.home_id, row.block_id, %s from total_row as row group by row.home_id, row.block_id$q$, list.sums);
    execute format($q$
      create temporary table total_whole on commit drop as
      select unit.unit_id, %s
      from total_part as part
      left join unit as home on home.unit_id = part.home_id
      cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
      group by unit.unit_id$q$, list.wholes);
    create temporary table total_class (attribute text collate "C", unit_id bigint, class text collate "C", frames bigint) on commit drop;
    if list.classes is not null then
      execute format($q$
        insert into total_class (attribute, unit_id, class, frames)
        select part.attribute, unit.unit_id, part.class, sum(part.frames)
        from (
          select row.home_id, row.block_id, named.attribute, named.class, count(*) as frames
          from total_row as row
          cross join lateral (values %s) as named (attribute, class)
          where named.class is not null
          group by row.home_id, row.block_id, named.attribute, named.class
        ) as part
        left join unit as home on home.unit_id = part.home_id
        cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
        group by part.attribute, unit.unit_id, part.class$q$, list.classes);
      insert into block_class (version, attribute, unit_id, class, frames)
      select served, kept.attribute, kept.unit_id, kept.class, kept.frames from total_class as kept join unit using (unit_id) where unit.level = 'block'
      order by attribute, unit_id, class;
    end if;
    execute format($q$
      insert into unit_total (version, attribute, unit_id, number, class, class_frames, recorded, total, weight)
      select %s, whole.attribute, whole.unit_id,
        case whole.summary
          when 'sum' then whole.total
          when 'mean' then whole.total / whole.recorded
          when 'weighted_mean' then whole.total / nullif(whole.weight, 0)
        end,
        common.class, common.frames, whole.recorded,
        case when whole.summary in ('mean', 'weighted_mean') then whole.total end,
        case whole.summary when 'mean' then whole.recorded when 'weighted_mean' then whole.weight end
      from (
        select named.attribute, named.summary, part.unit_id, named.recorded, named.total::numeric, named.weight::numeric
        from total_whole as part
        cross join lateral (values %s) as named (attribute, summary, recorded, total, weight, lowest, highest)
        where named.recorded > 0
      ) as whole
      left join (
        select distinct on (attribute, unit_id) attribute, unit_id, class, frames
        from total_class
        order by attribute, unit_id, frames desc, class
      ) as common using (attribute, unit_id)
      order by whole.attribute collate "C", whole.unit_id$q$, served, list.parts);
    execute format($q$
      select spread_enter(%s::bigint, named.attribute, 'frame', named.recorded::bigint, named.lowest::numeric, named.highest::numeric, sample.numbers)
      from total_whole as part
      cross join lateral (values %s) as named (attribute, summary, recorded, total, weight, lowest, highest)
      left join (
        select numbered.attribute, array_agg(numbered.number) as numbers
        from total_row as row
        cross join lateral (values %s) as numbered (attribute, number)
        where hashint8(row.frame_id) %% %s = 0 and numbered.number is not null
        group by numbered.attribute
      ) as sample using (attribute)
      where part.unit_id = 0$q$, served, list.parts, coalesce(list.numbers, '(null::text, null::numeric)'), one_in);
    drop table total_row, total_part, total_whole, total_class;
  end loop;
end $$;
comment on function totals_of_baseline(text, bigint) is 'Keeps the totals of a baseline over units: totals_keep calls it.';
revoke execute on function totals_of_baseline from public;
