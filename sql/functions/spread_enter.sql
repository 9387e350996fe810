-- spread_enter: enters how the numbers of an attribute spread over frames, or its totals over the units of a level.
--   served     the version of the dataset
--   attribute  its name; "features", "km" or "km2" for what totals keep of features
--   level      frame, or the level of the units
--   recorded   how many frames or units have a number; the index has the others
--   lowest, highest  null where there is no number
--   numbers    all of them, or a sample; null where the attribute has none
-- Adds one row to attribute_spread. It sorts the numbers twice: 10,000 of them take some 20 ms.
create or replace function spread_enter(served bigint, attribute text, level text, recorded bigint, lowest numeric, highest numeric, numbers numeric[])
  returns void language plpgsql as $$
begin
  insert into attribute_spread (version, attribute, level, recorded, lacking, sampled, lowest, highest, breaks, bins)
  with whole as (  -- the frames of the index, or the units of the level
    select case
        when spread_enter.level = 'frame' then (select unit.frames from unit where unit.level = 'country')
        else (select count(*) from unit where unit.level = spread_enter.level)
      end as items
  ), class as (  -- the bounds of seven classes; zero is a class of its own where it is the lowest number
    select count(*) as sampled,
      spread_enter.lowest >= 0 and percentile_disc(0.5) within group (order by number) < spread_enter.highest / 20 as is_skewed,
      coalesce(
        percentile_disc(array[1 / 7.0, 2 / 7.0, 3 / 7.0, 4 / 7.0, 5 / 7.0, 6 / 7.0]::float8[]) within group (order by number)
          filter (where number <> 0 or spread_enter.lowest < 0),
        array[0, 0, 0, 0, 0, 0]
      ) as breaks
    from unnest(spread_enter.numbers) as number
    having count(*) > 0
  ), bin as (  -- the numbers in each bin that has any
    select spread_bin(number, spread_enter.lowest, spread_enter.highest, class.is_skewed) as place, count(*) as items
    from unnest(spread_enter.numbers) as number
    cross join class
    group by 1
  ), histogram as (  -- all bins
    select array_agg(coalesce(bin.items, 0) order by place) as bins
    from class
    cross join lateral generate_series(1, case when class.is_skewed then 21 else 20 end) as place
    left join bin using (place)
    having count(*) > 0
  )
  select served, spread_enter.attribute, spread_enter.level, spread_enter.recorded, whole.items - spread_enter.recorded, coalesce(class.sampled, 0),
    spread_enter.lowest, spread_enter.highest, class.breaks, histogram.bins
  from whole
  left join class on true
  left join histogram on true
  where whole.items is not null;
end $$;
comment on function spread_enter(bigint, text, text, bigint, numeric, numeric, numeric[]) is
  'Enters how the numbers of an attribute spread over frames or units: functions that keep totals call it.';
revoke execute on function spread_enter from public;
