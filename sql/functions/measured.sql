-- measured: a figure of frames or features, in each group that is asked for.
--   measure  {"things": "frames" or a dataset of features, "place": a frame_set, "where": a filter of things_passing,
--            "among": a filter of frames: those of the place that pass are the place of features and units,
--            "subject": as values_of_things reads it; none counts the things,
--            "how": count, sum, mean, weighted_mean, median, quantile, min, max, distinct or mode,
--            "weight": a subject, of a weighted mean, "at": 0.9, of a quantile}
--   by       {"level": "state", "lga" or "ward"}, or {"class": a subject}, or {"bands": [1, 2, 5], "of": a subject}, or
--            {"each": true} for single things, with "most" the first of them in their "order"; null for one group
-- One row for each group with things: how many, how many of them have a value (and a weight above zero), and the figure. n is
-- the number of a single thing, which comes with how many there are. A quantile lies between the two nearest values. Mode and
-- distinct are of categories: their classes come with the things of each, the most common first.
-- Totals of a whole unit and of its parts are kept: kept_total says which.
create or replace function measured(measure jsonb, by jsonb)
  returns table (unit_id bigint, class text, n int, things bigint, recorded bigint, number numeric, classes jsonb)
  language plpgsql stable set jit = off as $$
#variable_conflict use_column
declare
  of_things text := coalesce(measure ->> 'things', 'frames');
  how text := coalesce(measure ->> 'how', 'count');
  at numeric := case how when 'quantile' then (measure ->> 'at')::numeric else 0.5 end;
  asked_place text[] := array(select jsonb_array_elements_text(measure -> 'place'));
  kept_name text := case when by is null or by ? 'level' then kept_total(measure, by ->> 'level') end;
begin
  if kept_name is not null then
    return query
    select case when by is null then 0 else unit.unit_id end, null::text, null::int, case of_things when 'frames' then unit.frames else counted.number end::bigint,
      case of_things when 'frames' then coalesce(total.recorded, case when kept_name in ('frame_id', 'geom') then unit.frames else 0 end) else counted.number end::bigint,
      figure.number, null::jsonb
    from units_in(asked_place, by ->> 'level') as unit
    left join unit_total as total
      on total.version = (select version from dataset where layer_id = coalesce(nullif(of_things, 'frames'), measure -> 'subject' ->> 'of'))
      and total.attribute = kept_name and total.unit_id = unit.unit_id
    left join unit_total as counted
      on of_things <> 'frames' and counted.version = total.version and counted.attribute = 'features' and counted.unit_id = total.unit_id
    cross join lateral (select case kept_name when 'frame_id' then unit.frames when 'geom' then unit.km2 else total.number end as number) as figure
    where of_things = 'frames' or figure.number is not null;
    return;
  elsif by ? 'each' then
    return query
    with cell as materialized (  -- one row for each thing
      select cell.n, case when how = 'count' then 1 when how <> 'weighted_mean' or cell.weight > 0 then cell.number end as number from things_measured(measure, null) as cell
    ), last as (  -- the last of the first
      select number, n from cell where number is not null or not by ? 'order'
      order by case by ->> 'order' when 'highest' then -number when 'lowest' then number else n end
      limit 1 offset (by ->> 'most')::bigint - 1
    )
    select 0::bigint, null::text, cell.n, every.things, every.recorded, cell.number, null::jsonb
    from cell
    cross join (select count(*) as things, count(number) as recorded from cell) as every
    left join last on by ? 'most'
    where last.n is null or case by ->> 'order' when 'highest' then cell.number >= last.number when 'lowest' then cell.number <= last.number else cell.n <= last.n end;
    return;
  end if;
  return query
  with cell as (  -- one row for each thing and group
    select * from things_measured(measure, by)
  ), counted as (  -- one row for each group and class of a category
    select unit_id, class, text, count(*) as things from cell where how in ('mode', 'distinct') group by unit_id, class, text
  ), figure as (  -- one row for each group
    select unit_id, class, count(*) as things, count(number) as recorded, sum(number) as total, avg(number) as mean, min(number) as lowest, max(number) as highest,
      sum(number * weight) filter (where weight > 0) / sum(weight) filter (where weight > 0 and number is not null) as weighted_mean,
      count(number) filter (where weight > 0) as weighted,
      array_agg(number order by number) filter (where how in ('median', 'quantile') and number is not null) as ordered
    from cell
    where how not in ('mode', 'distinct')
    group by unit_id, class
  )
  select unit_id, class, null::int, figure.things, case how when 'count' then figure.things when 'weighted_mean' then weighted else recorded end, case how
      when 'count' then figure.things
      when 'sum' then total
      when 'mean' then mean
      when 'weighted_mean' then weighted_mean
      when 'min' then lowest
      when 'max' then highest
      else ordered[low] + (ordered[least(low + 1, recorded)] - ordered[low]) * (1 + at * (recorded - 1) - low)
    end, null::jsonb
  from figure
  cross join lateral (select 1 + floor(at * (figure.recorded - 1))::int as low) as rank
  union all
  select unit_id, class, null::int, sum(things)::bigint, coalesce(sum(things) filter (where text is not null), 0)::bigint,
    case how when 'distinct' then count(text) else max(things) filter (where text is not null) end::numeric,
    jsonb_agg(jsonb_build_object('value', text, 'things', things) order by things desc, text collate "C") filter (where text is not null)
  from counted
  group by unit_id, class;
end $$;
comment on function measured(jsonb, jsonb) is 'A figure of frames or features, in each group that is asked for.';
