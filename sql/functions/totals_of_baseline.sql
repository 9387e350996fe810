-- totals_of_baseline: the totals of a baseline over units, and the spread of its values over frames.
--   layer   the dataset
--   units   those asked for; null for all
-- One row for each attribute and unit in which a frame records it, and one for the country: classes with the frames of each,
-- the most common first, and for the country the lowest and the highest number, and the numbers or a sample of them.
-- Reads the arrays of the version and those of the index, one attribute at a time. Numbers are added up over the pieces into
-- which wards and blocks cut each other, and these over units. The planner expects few rows of a version that its statistics
-- lack, and would sort the values of each attribute to group them, which takes five times as long.
create or replace function totals_of_baseline(layer text, units bigint[])
  returns table (attribute text, unit_id bigint, number numeric, total numeric, weight numeric, recorded bigint,
    classes text[], class_frames bigint[], lowest numeric, highest numeric, numbers numeric[])
  language plpgsql stable set enable_sort = off as $$
#variable_conflict use_column
declare
  served dataset;
  homes bigint[] := homes_of_units(units);
begin
  select * into served from dataset where layer_id = layer;
  return query
  with placed as materialized (  -- one row for each chunk that has frames of these units, with the pieces of all its frames
    select home.chunk, home.numbers::bigint[] as home_ids, block.numbers::bigint[] as block_ids
    from value_array as home
    join value_array as block on block.version = 0 and block.name = 'block_id' and block.chunk = home.chunk
    where home.version = 0 and home.name = 'home_id' and (units is null or home.chunk in (
      select frame_order.number / 1024 from frame_unit join frame_order using (frame_id) where home_id = any(homes) or block_id = any(units)
    ))
  ), asked as (  -- one row for each attribute, with the array that weights it
    select listed.name, listed.summary,
      summary = 'mode' and exists (select from class where class.layer_id = layer and class.name = listed.name) as has_classes,
      case when weight = 'area' then 0 when weight in (select name from attribute where layer_id = layer) then served.version end as weighing,
      case when weight = 'area' then 'geom' else weight end as weight
    from attribute as listed
    where layer_id = layer
  ), part as (  -- one row for each attribute and lowest unit or block, or class of it
    select asked.name as attribute, asked.summary, added.*
    from asked
    cross join lateral (
      select grouping(piece.home_id) = 1 as is_block, piece.home_id, piece.block_id, piece.class, sum(piece.recorded) as recorded,
        sum(piece.total) as total, sum(piece.weight) as weight
      from (  -- one row for each of the pieces into which lowest units and blocks cut each other
        select cell.home_id, cell.block_id, case when asked.has_classes then cell.class end as class, count(*) as recorded,
          case when asked.weighing is null then sum(cell.number) else sum(cell.number * cell.weight) filter (where cell.weight > 0) end as total,
          sum(cell.weight) filter (where cell.weight > 0) as weight
        from value_array
        join placed using (chunk)
        left join value_array as weight on weight.version = asked.weighing and weight.name = asked.weight and weight.chunk = value_array.chunk
        cross join lateral (
          select row.number, row.class, row.home_id, row.block_id, coalesce(row.weight, plain_number(row.weight_text)) as weight
          from (
            -- in the list of columns, arrays are read side by side; in "from", each would be copied first
            select unnest(value_array.numbers) as number, unnest(value_array.texts) as class, unnest(weight.numbers) as weight,
              unnest(weight.texts) as weight_text, unnest(placed.home_ids) as home_id, unnest(placed.block_ids) as block_id
          ) as row
          where row.number is not null or row.class is not null
        ) as cell
        where value_array.version = served.version and value_array.name = asked.name
          and (units is null or cell.home_id = any(homes) or cell.block_id = any(units))
        group by 1, 2, 3
      ) as piece
      group by grouping sets ((piece.home_id, piece.class), (piece.block_id, piece.class))
    ) as added
  ), spread as (  -- one row for each attribute with a number: the country's
    select value_array.name as attribute, min(cell.number) as lowest, max(cell.number) as highest,
      -- some 10,000 frames are enough for the classes of a map and for a histogram
      array_agg(cell.number) filter (where units is null and cell.n % greatest(1, served.items / 10000) = 0) as numbers
    from value_array
    cross join lateral (select unnest(value_array.numbers) as number, generate_series(chunk * 1024, chunk * 1024 + 1023) as n) as cell
    where (units is null or 0 = any(units)) and value_array.version = served.version and cell.number is not null
    group by value_array.name
  ), counted as (  -- one row for each attribute and unit, or class of it
    select part.attribute, part.summary, unit.unit_id, part.class, sum(part.recorded) as recorded, sum(part.total) as total,
      sum(part.weight) as weight
    from part
    left join unit as home on home.unit_id = part.home_id
    cross join lateral unnest(case when part.is_block then array[part.block_id] else coalesce(home.within, '{0}') end) as unit (unit_id)
    where units is null or unit.unit_id = any(units)
    group by part.attribute, part.summary, unit.unit_id, part.class
    union all
    -- the country has a row of an attribute that no frame records
    select name, summary, 0, null, 0, null, null
    from asked
    where (units is null or 0 = any(units)) and exists (select from baseline_row where version = served.version)
  ), whole as (  -- one row for each attribute and unit
    select counted.attribute, counted.summary, counted.unit_id, sum(counted.recorded)::bigint as recorded, sum(counted.total) as total,
      sum(counted.weight) as weight,
      array_agg(counted.class order by counted.recorded desc, counted.class collate "C") filter (where counted.class is not null) as classes,
      array_agg(counted.recorded::bigint order by counted.recorded desc, counted.class collate "C") filter (where counted.class is not null) as class_frames
    from counted
    group by counted.attribute, counted.summary, counted.unit_id
  )
  select whole.attribute, whole.unit_id,
    case whole.summary when 'sum' then whole.total when 'mean' then whole.total / nullif(whole.recorded, 0)
      when 'weighted_mean' then whole.total / nullif(whole.weight, 0) end,
    case when whole.summary in ('mean', 'weighted_mean') then whole.total end,
    case whole.summary when 'mean' then whole.recorded when 'weighted_mean' then whole.weight end,
    whole.recorded, whole.classes, whole.class_frames,
    spread.lowest, spread.highest, spread.numbers
  from whole
  left join spread on spread.attribute = whole.attribute and whole.unit_id = 0;
end $$;
comment on function totals_of_baseline(text, bigint[]) is 'The totals of a baseline over units: totals_made calls it.';
