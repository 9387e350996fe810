-- spread_keep: keeps how the values of a dataset spread over frames, and its totals over the units of each level.
--   served  the version of the dataset
-- totals_keep calls it, with the numbers of frames in temporary tables total_number and total_figure.
create or replace function spread_keep(served bigint) returns void
  language plpgsql as $$
begin
  insert into total_number (attribute, level, number)
  select attribute, level, number from unit_total join unit using (unit_id)
  where version = served and level <> 'country' and number is not null;
  insert into total_figure (attribute, level, recorded, lowest, highest)
  select attribute, level, count(*), min(number), max(number) from unit_total join unit using (unit_id)
  where version = served and level <> 'country'
  group by attribute, level;
  insert into attribute_spread (version, attribute, level, recorded, lacking, sampled, lowest, highest, breaks, bins)
  with class as (  -- the bounds of seven classes; zero is a class of its own where it is the lowest number
    select attribute, level, count(*) as sampled, max(lowest) >= 0 and percentile_disc(0.5) within group (order by number) < max(highest) / 20 as is_skewed,
      coalesce(
        percentile_disc(array[1 / 7.0, 2 / 7.0, 3 / 7.0, 4 / 7.0, 5 / 7.0, 6 / 7.0]::float8[]) within group (order by number)
          filter (where number <> 0 or lowest < 0),
        array[0, 0, 0, 0, 0, 0]
      ) as breaks
    from total_number
    join total_figure using (attribute, level)
    group by attribute, level
  ), bin as (  -- the numbers in each bin that has any
    select attribute, level, spread_bin(number, lowest, highest, is_skewed) as bin, count(*) as numbers
    from total_number
    join total_figure using (attribute, level)
    join class using (attribute, level)
    group by attribute, level, 3
  ), histogram as (  -- all bins of an attribute
    select class.attribute, class.level, array_agg(coalesce(bin.numbers, 0) order by place) as bins
    from class
    cross join lateral generate_series(1, case when is_skewed then 21 else 20 end) as place
    left join bin on bin.attribute = class.attribute and bin.level = class.level and bin.bin = place
    group by class.attribute, class.level
  ), whole as (  -- the frames of the index, and the units of each level
    select 'frame' as level, frames as items from unit where level = 'country'
    union all
    select level, count(*) from unit group by level
  )
  select served, attribute, level, figure.recorded, whole.items - figure.recorded, coalesce(class.sampled, 0), figure.lowest, figure.highest,
    class.breaks, histogram.bins
  from total_figure as figure
  join whole using (level)
  left join class using (attribute, level)
  left join histogram using (attribute, level);
end $$;
comment on function spread_keep(bigint) is 'Keeps the spread of a dataset''s values over frames and units: totals_keep calls it.';
revoke execute on function spread_keep from public;
