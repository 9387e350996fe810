-- interval: between which bounds a figure of modelled attributes lies, in each group; no row where it has no interval.
--   $1 figure  text  JSON: type Figure of src/core/figures/algebra.ts, of sums
-- index: unit_pkey
-- budget: buffers <= 600000, rows read <= 60000
-- example: '{"of": {"place": ["unit"], "subject": {"of": "lyr_population", "name": "pop_demest26"}, "how": "sum"}}'
-- Draw n of both is of one run of the model. The bounds are exact. "draws" is null for bounds of the file.
-- null: class, draws
with figure as (  -- what is asked
  select asked, asked -> 'by' as by, asked -> 'of' as of, asked -> 'to' as to, coalesce((asked ->> 'times')::numeric, 1) as times
  from (select $1::text::jsonb as asked) as given
  cross join lateral figure_checked('figure', asked, null)
), one as materialized (  -- the draws of each group, and its number where another measure may have draws
  select unit_id, class, found.draws, found.lower, found.upper, exact.number
  from (
    select drawn.unit_id, coalesce(drawn.class, '') as class, drawn.draws, drawn.lower, drawn.upper
    from figure
    cross join lateral draws_measured(figure.of, figure.by) as drawn
  ) as found
  full join (
    select known.unit_id, coalesce(known.class, '') as class, known.number
    from figure
    cross join lateral measured(figure.of, figure.by) as known
    where figure.asked ? 'to'
  ) as exact using (unit_id, class)
), two as materialized (  -- those of the other measure, or its number
  select unit_id, class, found.draws, exact.number
  from figure
  cross join lateral (select unit_id, coalesce(class, '') as class, number from measured(figure.to, figure.by)) as exact
  left join (
    select drawn.unit_id, coalesce(drawn.class, '') as class, drawn.draws from figure cross join lateral draws_measured(figure.to, figure.by) as drawn
  ) as found using (unit_id, class)
  where figure.asked ? 'to'
), combined as (  -- each draw of each group with the arithmetic done; a run that divides by 0 leaves no interval
  select unit_id, class, draw.n, combined(figure.asked ->> 'op', figure.times, run.one, run.two) as number
  from figure
  cross join one
  left join two using (unit_id, class)
  cross join lateral unnest(coalesce(one.draws, case when one.lower is not null then array[one.lower, one.upper] end), two.draws) with ordinality as draw (one, two, n)
  cross join lateral (select coalesce(draw.one, one.number) as one, coalesce(draw.two, two.number) as two) as run
), bounded as (  -- one row for each group
  select unit_id, class, array_agg(number order by n) as draws from combined group by unit_id, class having count(number) = count(*)
)
select
  array_remove(array[unit.state, unit.lga, unit.ward], null) as path, nullif(class, '') as class,
  trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper, coalesce(cardinality(one.draws), cardinality(two.draws))::int as draws
from bounded
join one using (unit_id, class)
left join two using (unit_id, class)
cross join lateral (
  select lower, upper from draws_interval(case when coalesce(one.draws, two.draws) is not null then bounded.draws end)
  where coalesce(one.draws, two.draws) is not null
  union all
  select least(bounded.draws[1], bounded.draws[2]), greatest(bounded.draws[1], bounded.draws[2]) where coalesce(one.draws, two.draws) is null
) as bound
cross join lateral (select state, lga, ward from unit where unit.unit_id = bounded.unit_id limit 1) as unit
order by unit_id, class collate "C"
