-- lgas_of_state: the local government areas of a state, by name.
--   $1 state  text  any case
-- index: lga_pkey
-- budget: buffers <= 6 + 0.5 * rows, rows read <= 1 + rows
-- example: 'marembe'
-- null: lgaCode
select
  state as state,
  lga as lga,
  lga_code as "lgaCode",
  frames::int as frames
from lga
where state = fold_name($1::text)
order by lga collate "C"
