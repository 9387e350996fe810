-- figured: a figure, or the arithmetic of two, in each group, and the first groups: statement figure answers its rows.
--   figure  type Figure of src/core/figures/algebra.ts
-- A figure that is wrong is refused: figure_checked says what is accepted. A single group takes a third less time by itself.
-- A unit of either place with nothing to add up has 0, and so has one group of nothing. A ratio to 0 is null. Each row says how
-- many groups there are, how many have a value, pass, and are among the first, and how many of these have its value.
create or replace function figured(figure jsonb)
  returns table (
    unit_id bigint, path text[], class text, name text, things int, recorded int, number text, other text, other_recorded int, value numeric, difference text,
    shown text, place int, tied int, groups int, with_value int, passing int, among_first int, classes jsonb
  )
  language plpgsql stable set jit = off as $$
#variable_conflict use_column
declare
  asked jsonb := figure;
  grouping_by jsonb := nullif(figure -> 'by', 'null');
  of_one jsonb := figure -> 'of';
  of_two jsonb := figure -> 'to';
  things_of_one text := coalesce(figure -> 'of' ->> 'things', 'frames');
  -- what is added up is 0 in a group without any, but not where frames record nothing
  one_is_added boolean := coalesce(figure -> 'of' ->> 'how', 'count') in ('count', 'sum');
  two_is_added boolean := figure ? 'to' and coalesce(figure -> 'to' ->> 'how', 'count') in ('count', 'sum');
  things_of_two text := coalesce(figure -> 'to' ->> 'things', 'frames');
  op text := figure ->> 'op';
  times numeric := coalesce((figure ->> 'times')::numeric, 1);
  -- of many single things the first are looked for before others are compared
  are_first boolean := coalesce(
    figure -> 'by' ? 'each' and figure ? case when figure ? 'order' then 'n' else 'list' end and not figure ?| array['to', 'having', 'inEach', 'nth'], false
  );
  is_right boolean;
  exact_to int := greatest(places_of(figure -> 'of'), places_of(figure -> 'to'));
begin
  if figure is not null then
    is_right := figure_checked('figure', figure, null);
  end if;
  if grouping_by is null and not asked ?| array['having', 'order', 'n', 'nth', 'inEach'] then
    return query
    select 0::bigint, '{}'::text[], null::text, null::text, coalesce(one.things, 0)::int, coalesce(one.recorded, 0)::int,
      rounded(told.number, places_of(of_one))::text, rounded(told.other, places_of(of_two))::text, coalesce(two.recorded, 0)::int,
      result.value, rounded(told.number - told.other, exact_to)::text, shown(op, result.value, exact_to)::text, 1, 1, 1, (result.value is not null)::int, 1, 1, one.classes
    from (select) as single
    left join measured(of_one, null) as one on true
    left join lateral (select * from measured(of_two, null) where of_two is not null) as two on true
    cross join lateral (
      select case when one.number is null and one_is_added and (one.things is null or things_of_one <> 'frames') then 0 else one.number end as number,
        case when two.number is null and two_is_added and (two.things is null or things_of_two <> 'frames') then 0 else two.number end as other
    ) as told
    cross join lateral (select combined(op, times, told.number, told.other) as value) as result;
    return;
  elsif are_first then
    grouping_by := grouping_by || jsonb_strip_nulls(jsonb_build_object('order', asked -> 'order', 'most', coalesce(asked -> 'n', asked -> 'list')));
  end if;
  return query
  with named_group as materialized (  -- groups that are told though nothing is in them: units that have frames of the place, and one group
    select found.unit_id from measured(jsonb_build_object('place', of_one -> 'place', 'where', coalesce(of_one -> 'among', '{"all": []}')), grouping_by) as found where grouping_by ? 'level'
    union
    select found.unit_id from measured(jsonb_build_object('place', of_two -> 'place', 'where', coalesce(of_two -> 'among', '{"all": []}')), grouping_by) as found
    where of_two is not null and grouping_by ? 'level' and not asked ? 'toBy' and jsonb_build_array(of_two -> 'place', of_two -> 'among') <> jsonb_build_array(of_one -> 'place', of_one -> 'among')
    union all
    select 0 where grouping_by is null
  ), one as materialized (  -- the figure of each group; '' and -1 stand for no class and no single thing
    select unit_id, coalesce(class, '') as class, coalesce(n, -1) as n, things, recorded, number, classes from measured(of_one, grouping_by)
  ), two as materialized (  -- the other one
    select unit_id, coalesce(class, '') as class, coalesce(n, -1) as n, things, recorded, number
    from measured(of_two, case when asked ? 'toBy' then nullif(asked -> 'toBy', 'null') else grouping_by end)
    where of_two is not null
  ), own as materialized (  -- that of each group: its own, or the one of the unit above it
    select two.* from two where not asked ? 'toBy'
    union all
    select known.unit_id, known.class, known.n, two.things, two.recorded, two.number
    from (select unit_id, class, n from one union select unit_id, '', -1 from named_group) as known
    cross join lateral (select within from unit where unit.unit_id = known.unit_id limit 1) as unit
    join two on two.unit_id = any(unit.within)
    where asked ? 'toBy'
  ), grouped as (  -- one row for each group
    select unit_id, nullif(class, '') as class, nullif(n, -1) as n, coalesce(one.things, 0) as things, coalesce(one.recorded, 0) as recorded,
      coalesce(own.recorded, 0) as other_recorded, one.classes,
      case when one.number is null and one_is_added and (one.things is null or things_of_one <> 'frames') then 0 else one.number end as number,
      case when own.number is null and two_is_added and (own.things is null or things_of_two <> 'frames') then 0 else own.number end as other
    from one
    full join own using (unit_id, class, n)
    full join (select unit_id, '' as class, -1 as n from named_group) as named using (unit_id, class, n)
  ), valued as (  -- the same with the value that is asked for
    select grouped.*, combined(op, times, number, other) as value from grouped
  ), counted as (  -- the same with how many there are
    select valued.*, case when are_first then things else count(*) over () end as groups, case when are_first then recorded else count(value) over () end as with_value
    from valued
  ), ranked as (  -- those that pass, with their places
    select counted.*, unit.state, unit.lga, unit.ward, count(*) over () as passing, rank() over (
      partition by case asked ->> 'inEach' when 'state' then unit.state when 'lga' then unit.state || '/' || unit.lga end
      order by case asked ->> 'order' when 'highest' then -value when 'lowest' then value end nulls last
    ) as place
    from counted
    cross join lateral (select state, lga, ward from unit where unit.unit_id = counted.unit_id limit 1) as unit
    where not asked ? 'having' or value <@ bounds_of(asked -> 'having')
  ), first as (  -- the first of them, in order
    select ranked.*, count(*) over () as among_first, count(*) over (partition by value) as tied,
      row_number() over (order by case when asked ? 'order' then place end, unit_id, class collate "C", n) as turn
    from ranked
    where case
      when asked ? 'nth' then place = (asked ->> 'nth')::int and value is not null
      else not asked ? 'n' or (place <= (asked ->> 'n')::int and value is not null)
    end
  )
  select
    unit_id, array_remove(array[state, lga, ward], null), class, case when first.n is not null then thing_name(things_of_one, first.n) end, things::int, recorded::int,
    rounded(number, places_of(of_one))::text, rounded(other, places_of(of_two))::text, other_recorded::int, value, rounded(number - other, exact_to)::text,
    shown(op, value, exact_to)::text, place::int, tied::int, groups::int, with_value::int, passing::int, among_first::int, classes
  from first
  where turn <= coalesce((asked ->> 'list')::int, 2147483647)
  order by turn;
end $$;
comment on function figured(jsonb) is 'A figure, or the arithmetic of two, in each group, and the first groups.';
