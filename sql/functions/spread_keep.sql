-- spread_keep: keeps how the totals of a dataset spread over the units of each level.
--   served  the version of the dataset
-- Reads unit_total and unit, and adds to attribute_spread through spread_enter. totals_keep calls it, after the totals.
create or replace function spread_keep(served bigint) returns void
  language plpgsql as $$
begin
  perform spread_enter(served, total.attribute, total.level, total.recorded, total.lowest, total.highest, total.numbers)
  from (
    select attribute, level, count(*) as recorded, min(number) as lowest, max(number) as highest,
      array_agg(number) filter (where number is not null) as numbers
    from unit_total
    join unit using (unit_id)
    where version = served and level <> 'country'
    group by attribute, level
  ) as total;
end $$;
comment on function spread_keep(bigint) is 'Keeps the spread of a dataset''s totals over units: totals_keep calls it.';
revoke execute on function spread_keep from public;
