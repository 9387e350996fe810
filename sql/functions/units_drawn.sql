-- units_drawn: a sample of the units, to hold totals against frames: wards and blocks, one state and one area; null for all.
--   percent  of the wards and blocks; 100 or more for all units
--   seed     draws them: another one draws others
--   largest  frames in the state and in the area, at most
create or replace function units_drawn(percent float8, seed int, largest int) returns bigint[]
  language sql stable as $$
  select array_agg(unit_id)
  from (
    select unit_id from unit where level in ('ward', 'block') and abs(hashint8extended(unit_id, seed) % 10000) < 100 * percent
    union
    select unit_id from (
      select distinct on (level) unit_id from unit
      where level in ('state', 'lga') and frames <= largest
      order by level, hashint8extended(unit_id, seed)
    ) as one
  ) as drawn
  where percent < 100
$$;
comment on function units_drawn(float8, int, int) is 'A sample of the units, to hold totals against frames; null for all of them.';
