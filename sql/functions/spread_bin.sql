-- spread_bin: the bin of a number among numbers that spread from a lowest to a highest one.
--   number   not null
--   lowest, highest
--   is_skewed  most numbers lie in the lowest twentieth, and none is below 0
-- Others have 20 bins of one width. Skewed ones have 21: zero alone in the first; the last reaches from half of the highest
-- number to the highest, the bin before from a quarter to a half, and so on; the second has all that is smaller.
create or replace function spread_bin(number numeric, lowest numeric, highest numeric, is_skewed boolean) returns int
  language sql immutable parallel safe
  return case
    when is_skewed then case when number <= 0 then 1 else 21 - least(19, greatest(0, floor(ln((highest / number)::float8) / ln(2::float8)))::int) end
    when highest > lowest then least(width_bucket(number, lowest, highest, 20), 20)
    else 1
  end;
comment on function spread_bin(numeric, numeric, numeric, boolean) is
  'The bin of a number among 20 of one width between a lowest and a highest one; among 21 for skewed numbers: zero alone, and steps that double.';
