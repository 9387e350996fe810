-- wards_of_lga: the wards of a local government area, by name.
--   $1 state  text  any case
--   $2 lga    text  any case
-- index: ward_pkey
-- budget: buffers <= 5 + 1.5 * rows, rows read <= 1 + rows
-- example: 'marembe', 'lakeside'
-- null: wardCode
select
  state as state,
  lga as lga,
  ward as ward,
  ward_code as "wardCode",
  frames::int as frames
from ward
where state = fold_name($1::text) and lga = fold_name($2::text)
order by ward collate "C"
