-- combined: the arithmetic of two numbers of a figure; null where it divides by 0.
--   op        sum, difference, ratio, percent or change; null for the first number alone
--   times     multiplies a ratio
--   one, two  the numbers
create or replace function combined(op text, times numeric, one numeric, two numeric) returns numeric
  language sql immutable parallel safe as $$
  select case op
    when 'sum' then one + two
    when 'difference' then one - two
    when 'ratio' then times * one / nullif(two, 0)
    when 'percent' then 100 * one / nullif(two, 0)
    when 'change' then 100 * (one - two) / nullif(abs(two), 0)
    else one
  end
$$;
comment on function combined(text, numeric, numeric, numeric) is 'The arithmetic of two numbers of a figure; null where it divides by 0.';
