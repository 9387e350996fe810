-- lgas: every local government area that holds frames, by state and name.
-- index: lga_pkey
select
  state as state,
  lga as lga,
  lga_code as "lgaCode",
  frames::int as frames
from lga
order by state collate "C", lga collate "C"
