-- rounded: a number for people: with so many places, or more where it would have fewer than two digits that are not zero.
--   number  any
--   places  null leaves it as it is
create or replace function rounded(number numeric, places int) returns numeric
  language sql immutable parallel safe
  return trim_scale(case
    when places is null then number
    else round(number, greatest(places, coalesce(1 - floor(log(nullif(abs(number), 0))), places))::int)
  end);
comment on function rounded(numeric, int) is 'A number for people, with two digits that are not zero where it is small.';
