-- totals_of_baseline: the totals of a baseline over units, and the spread of its values over frames.
--   layer   the dataset
--   units   those asked for; null for all
-- One row for each attribute and unit in which a frame records it, and one for the country: classes with the frames of each,
-- the most common first, and for the country the lowest and the highest number, and the numbers or a sample of them.
-- Reads the rows of the version once for 300 attributes, since a select has at most 1,664 columns, and frames only where
-- an attribute is weighted by area. Numbers are added up over the pieces into which wards and blocks cut each other, and
-- these over units.
create or replace function totals_of_baseline(layer text, units bigint[])
  returns table (attribute text, unit_id bigint, number numeric, total numeric, weight numeric, recorded bigint,
    classes text[], class_frames bigint[], lowest numeric, highest numeric, numbers numeric[])
  language plpgsql stable as $$
#variable_conflict use_column
declare
  -- Where there are more, a sample of some 10,000 frames is enough for the classes of a map and for a histogram.
  one_in int := greatest(1, (select items / 10000 from dataset where layer_id = layer));
  -- Frames themselves are read only for their areas: they lie on twenty times as many pages.
  by_area bool := exists (select from attribute where layer_id = layer and weight = 'area');
  homes bigint[] := homes_of_units(units);
  list record;
  first int;
begin
  for first in select generate_series(1, (select count(*)::int from attribute where layer_id = layer), 300) loop
    select * into list from total_lists(layer, first, first + 299);
    -- The statistics may not have the rows of an import yet. Asked for a version that it does not know, the planner expects
    -- as many rows as of any other.
    return query execute format($q$
      with total_row as materialized (  -- one row for each frame, with a column for each attribute
        select placed.frame_id, placed.home_id, placed.block_id, %s %s
        from baseline_row
        join %s as placed using (frame_id)
        %s
        %s
        where baseline_row.version = (select dataset.version from dataset where layer_id = %L)
      ), total_part as (  -- one row for each piece
        select row.home_id, row.block_id, %s from total_row as row group by row.home_id, row.block_id
      ), total_whole as materialized (  -- one row for each unit
        select unit.unit_id, %s
        from total_part as part
        left join unit as home on home.unit_id = part.home_id
        cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
        where $1 is null or unit.unit_id = any($1)
        group by unit.unit_id
      ), total_class as (  -- one row for each attribute and unit, with its classes
        select attribute, unit_id, array_agg(class order by frames desc, class collate "C") as classes,
          array_agg(frames order by frames desc, class collate "C") as class_frames
        from (
          select part.attribute, unit.unit_id, part.class, sum(part.frames)::bigint as frames
          from (
            select row.home_id, row.block_id, named.attribute, named.class, count(*) as frames
            from total_row as row
            cross join lateral (values %s) as named (attribute, class)
            where named.class is not null
            group by row.home_id, row.block_id, named.attribute, named.class
          ) as part
          left join unit as home on home.unit_id = part.home_id
          cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
          where $1 is null or unit.unit_id = any($1)
          group by part.attribute, unit.unit_id, part.class
        ) as counted
        group by attribute, unit_id
      ), sample as (  -- one row for each attribute of numbers
        select numbered.attribute, array_agg(numbered.number) as numbers
        from total_row as row
        cross join lateral (values %s) as numbered (attribute, number)
        where $1 is null and hashint8(row.frame_id) %% %s = 0 and numbered.number is not null
        group by numbered.attribute
      )
      select named.attribute, part.unit_id,
        case named.summary
          when 'sum' then named.total::numeric
          when 'mean' then named.total::numeric / nullif(named.recorded, 0)
          when 'weighted_mean' then named.total::numeric / nullif(named.weight::numeric, 0)
        end,
        case when named.summary in ('mean', 'weighted_mean') then named.total::numeric end,
        case named.summary when 'mean' then named.recorded when 'weighted_mean' then named.weight::numeric end,
        named.recorded::bigint, total_class.classes, total_class.class_frames,
        case part.unit_id when 0 then named.lowest::numeric end, case part.unit_id when 0 then named.highest::numeric end,
        case part.unit_id when 0 then sample.numbers end
      from total_whole as part
      cross join lateral (values %s) as named (attribute, summary, recorded, total, weight, lowest, highest)
      left join total_class using (attribute, unit_id)
      left join sample using (attribute)
      where named.recorded > 0 or part.unit_id = 0$q$,
      case when by_area then 'frame.area_km2,' end, list.columns,
      case when units is null then 'frame_unit' else '(select * from frame_unit where home_id = any($2) or block_id = any($1) offset 0)' end,
      case when by_area then 'join frame using (frame_id)' end, list.record, layer, list.sums, list.wholes,
      coalesce(list.classes, '(null::text, null::text)'), coalesce(list.numbers, '(null::text, null::numeric)'), one_in, list.parts)
    using units, homes;
  end loop;
end $$;
comment on function totals_of_baseline(text, bigint[]) is 'The totals of a baseline over units: totals_made calls it.';
