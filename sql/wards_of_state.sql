-- wards_of_state: the wards of a state, by local government area and name.
--   $1 state  text  any case
-- index: ward_pkey
-- budget: buffers <= 10 + 0.6 * rows, rows read <= 1 + rows
-- example: 'marembe'
-- null: wardCode
select
  state as state,
  lga as lga,
  ward as ward,
  ward_code as "wardCode",
  frames::int as frames
from ward
where state = fold_name($1::text)
order by lga collate "C", ward collate "C"
