-- lgas: every local government area that holds frames, by state and name.
-- budget: buffers <= 2 + 0.015 * rows, rows read <= rows
-- Reads the whole table, which is small.
-- null: lgaCode
select
  state as state,
  lga as lga,
  lga_code as "lgaCode",
  frames::int as frames
from lga
order by state collate "C", lga collate "C"
