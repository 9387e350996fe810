-- draws_measured: the draws of a modelled attribute, added up by their number, in each group.
--   measure, by  as function measured reads them: the sum of an attribute
-- An attribute may have bounds in place of draws: a group of one frame has these two. A group without either has no row. The
-- draws of a whole unit and of its parts are kept.
create or replace function draws_measured(measure jsonb, by jsonb) returns table (unit_id bigint, class text, draws numeric[], lower numeric, upper numeric)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  asked_place text[] := array(select jsonb_array_elements_text(measure -> 'place'));
  served bigint := (select version from dataset where layer_id = measure -> 'subject' ->> 'of');
  subject text := measure -> 'subject' ->> 'name';
  has_draws boolean;
begin
  select attribute.draws is not null into has_draws
  from attribute
  where layer_id = measure -> 'subject' ->> 'of' and name = subject and coalesce(attribute.draws, attribute.lower) is not null;
  if measure ->> 'how' is distinct from 'sum' or has_draws is null then
    return;
  elsif has_draws and (by is null or by ? 'level') and kept_total(measure, by ->> 'level') is not null then
    return query
    select case when by is null then 0 else unit.unit_id end, null::text, kept.draws, null::numeric, null::numeric
    from units_in(asked_place, by ->> 'level') as unit
    join unit_interval as kept on kept.version = served and kept.attribute = subject and kept.unit_id = unit.unit_id;
    return;
  end if;
  return query
  with grouped as materialized (  -- one row for each group, with its frames
    select cell.unit_id, cell.class, array_agg(ids.numbers[cell.n % 1024 + 1]::bigint) as ids
    from things_measured(measure - 'subject', by) as cell
    join value_array as ids on ids.version = 0 and ids.name = 'frame_id' and ids.chunk = cell.n / 1024
    group by cell.unit_id, cell.class
  )
  select grouped.unit_id, grouped.class, added.draws, bound.lower, bound.upper
  from grouped
  cross join lateral (select case when has_draws then draws_added('{}', grouped.ids, served, subject) end as draws) as added
  left join frame_interval as bound
    on not has_draws and cardinality(grouped.ids) = 1 and bound.version = served and bound.attribute = subject and bound.frame_id = grouped.ids[1]
  where added.draws is not null or bound.lower is not null;
end $$;
comment on function draws_measured(jsonb, jsonb) is 'The draws of a modelled attribute, added up by their number, in each group.';
