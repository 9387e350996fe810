-- baseline_put: keeps the staged rows, under a version that nobody reads yet.
--   $1 version      bigint
--   $2 all_numbers  boolean  no attribute is a category
-- example: 1000000, true
select baseline_put($1::bigint, $2::boolean) as put
