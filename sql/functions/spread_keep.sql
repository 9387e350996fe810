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
  with class as (  -- the bounds of seven classes
    select attribute, level, count(*) as sampled,
      percentile_disc(array[1 / 7.0, 2 / 7.0, 3 / 7.0, 4 / 7.0, 5 / 7.0, 6 / 7.0]::float8[]) within group (order by number) as breaks
    from total_number
    group by attribute, level
  ), bin as (  -- the numbers in each bin that has any; one number alone is in the first
    select attribute, level, numbered.bin, count(*) as numbers
    from total_number
    join total_figure using (attribute, level)
    cross join lateral (
      select case when highest > lowest then least(width_bucket(number, lowest, highest, 20), 20) else 1 end as bin
    ) as numbered
    group by attribute, level, numbered.bin
  ), histogram as (  -- all bins of an attribute
    select class.attribute, class.level, array_agg(coalesce(bin.numbers, 0) order by place) as bins
    from class
    cross join generate_series(1, 20) as place
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
