-- number_of_frames: how many frames the index has, as counted at its import.
-- budget: buffers <= 2, rows read <= 1
select frames::int as number
from index_generation
