-- unit_interval_rows: what table unit_interval has of a version: draws added up over units, with the 95 % interval of each sum.
--   served  the version of a baseline
--   units   those asked for; null for all
-- Draws are added up over the pieces into which wards and blocks cut each other, and these over units.
create or replace function unit_interval_rows(served bigint, units bigint[])
  returns table (version bigint, attribute text, unit_id bigint, lower numeric, upper numeric, draws numeric[])
  language plpgsql stable as $$
#variable_conflict use_column
declare
  homes bigint[] := homes_of_units(units);
begin
  return query
  with part as (  -- one row per attribute, piece and number of a draw
    select kept.attribute, placed.home_id, placed.block_id, draw.n, sum(draw.number) as number
    from frame_interval as kept
    join frame_unit as placed using (frame_id)
    cross join lateral unnest(kept.draws) with ordinality as draw (number, n)
    where kept.version = served and (units is null or placed.home_id in (select unnest(homes)) or placed.block_id in (select unnest(units)))
    group by kept.attribute, placed.home_id, placed.block_id, draw.n
  ), whole as (  -- one row per attribute, unit and number of a draw
    select part.attribute, unit.unit_id, part.n, sum(part.number) as number
    from part
    left join unit as home on home.unit_id = part.home_id
    cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
    where units is null or unit.unit_id in (select unnest(units))
    group by part.attribute, unit.unit_id, part.n
  ), added as (  -- one row per attribute and unit
    select attribute, unit_id, array_agg(number order by n) as draws from whole group by attribute, unit_id
  )
  select served, added.attribute, added.unit_id, bound.lower, bound.upper, added.draws
  from added
  cross join lateral draws_interval(added.draws) as bound
  order by added.attribute, added.unit_id;
end $$;
comment on function unit_interval_rows(bigint, bigint[]) is 'What table unit_interval has of a version: draws added up over units, with the 95 % interval of each sum.';
