-- numbers_compared: two numbers, their ratio, and the change from the other.
--   $1 number  numeric
--   $2 other   numeric
--   $3 times   numeric  1,000: to a thousand of the other
-- budget: buffers <= 1, rows read <= 1
-- example: 812, 15300.5, 10000
-- Reads no table.
-- The numbers are totals of the same frames, or of some frames and of all.
-- null: ratio, exactRatio, percent
select
  -- a small quotient has two digits that are not zero
  trim_scale(round(ratio, greatest(2, coalesce(1 - floor(log(nullif(abs(ratio), 0))), 2))::int))::text as ratio,
  trim_scale(ratio)::text as "exactRatio",
  trim_scale($1::numeric - $2::numeric)::text as difference,
  trim_scale(round(100 * ($1::numeric - $2::numeric) / nullif(abs($2::numeric), 0), 1))::text as percent
from (select $3::numeric * $1::numeric / nullif($2::numeric, 0) as ratio) as divided
