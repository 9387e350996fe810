-- intervals_keep: adds up the draws of a baseline over units, with the 95 % interval of each sum.
--   served  its version
-- Reads frame_interval, unit and frame_unit. totals_keep calls it. Draws are added up over the pieces into which wards and blocks cut
-- each other, and these over units.
create or replace function intervals_keep(served bigint) returns void
  language plpgsql as $$
begin
  delete from unit_interval where version = served;
  insert into unit_interval (version, attribute, unit_id, lower, upper, draws)
  with part as (  -- one row per attribute, piece and number of a draw
    select kept.attribute, placed.home_id, placed.block_id, draw.n, sum(draw.number) as number
    from frame_interval as kept
    join frame_unit as placed using (frame_id)
    cross join lateral unnest(kept.draws) with ordinality as draw (number, n)
    where kept.version = served
    group by kept.attribute, placed.home_id, placed.block_id, draw.n
  ), whole as (  -- one row per attribute, unit and number of a draw
    select part.attribute, unit.unit_id, part.n, sum(part.number) as number
    from part
    left join unit as home on home.unit_id = part.home_id
    cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
    group by part.attribute, unit.unit_id, part.n
  ), added as (  -- one row per attribute and unit
    select attribute, unit_id, array_agg(number order by n) as draws from whole group by attribute, unit_id
  )
  select served, added.attribute, added.unit_id, bound.lower, bound.upper, added.draws
  from added
  cross join lateral draws_interval(added.draws) as bound
  order by added.attribute, added.unit_id;
end $$;
comment on function intervals_keep(bigint) is 'Adds up the draws of a baseline over units: totals_keep calls it.';
revoke execute on function intervals_keep from public;
