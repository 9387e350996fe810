-- summary: what frames or features record of one subject: how many, their total, means, extremes and classes.
--   $1 measure  text  JSON: type Measure of src/core/figures/algebra.ts; how: median, or any
-- budget: buffers <= 100, rows read <= 100
-- at worst: buffers <= 100000, rows read <= 10000
-- example: '{"place": ["unit", "marembe"], "subject": {"of": "lyr_population", "name": "pop_demest26"}}'
-- Reads no table.
-- Weighted things have a weight above zero.
-- null: total, mean, weightedMean, median, lowest, lowestName, highest, highestName, range, classes
-- json: classes { value: string; things: number }[]
with asked as (  -- the measure
  select measure from (select $1::text::jsonb as measure) as came cross join lateral figure_checked('measure', measure - 'how', null)
), thing as materialized (  -- one row for each thing
  select found.* from asked cross join lateral things_measured(measure, null) as found
), spread as materialized (  -- one row
  select count(*) as things, count(*) filter (where number is not null or text is not null) as recorded, count(number) as numbers,
    sum(number) as total, avg(number) as mean, min(number) as lowest, max(number) as highest,
    sum(number * weight) filter (where weight > 0) / sum(weight) filter (where weight > 0 and number is not null) as weighted_mean,
    count(number) filter (where weight > 0) as weighted
  from thing
), extreme as (  -- one row, with those that share the extremes
  select min(n) filter (where number = lowest) as lowest_n, count(*) filter (where number = lowest) as lowest_things,
    min(n) filter (where number = highest) as highest_n, count(*) filter (where number = highest) as highest_things
  from thing
  cross join spread
), middle as (  -- the one or two numbers in the middle, where the median is wanted
  select avg(number) as median
  from (select number, row_number() over (order by number) as turn from thing, asked where measure ->> 'how' = 'median' and number is not null) as sorted
  cross join spread
  where turn in ((numbers + 1) / 2, numbers / 2 + 1)
), named as (  -- the names of those two
  select n, thing_name(coalesce(measure ->> 'things', 'frames'), n) as name
  from asked
  cross join (select lowest_n as n from extreme union select highest_n from extreme) as shown
)
select
  things::int as things, recorded::int as recorded, numbers::int as numbers, weighted::int as weighted,
  rounded(total, 2)::text as total, rounded(mean, 2)::text as mean, rounded(weighted_mean, 2)::text as "weightedMean",
  rounded(median, 2)::text as median,
  trim_scale(lowest)::text as lowest, low.name as "lowestName", lowest_things::int as "lowestThings",
  trim_scale(highest)::text as highest, high.name as "highestName", highest_things::int as "highestThings",
  trim_scale(highest - lowest)::text as range,
  (
    select json_agg(json_build_object('value', text, 'things', things) order by things desc, text collate "C")
    from (select text, count(*)::int as things from thing where text is not null group by text) as class
  ) as classes
from asked
cross join spread
cross join extreme
cross join middle
left join named as low on low.n = lowest_n
left join named as high on high.n = highest_n
