-- lga: adds up the frames of each local government area from table unit_count, and keeps the lowest of differing codes.
-- Rows go in by name, so that those of a state lie on few pages.
insert into lga (state, lga, lga_code, frames)
select state, lga, min(lga_code) as lga_code, sum(frames) as frames
from unit_count group by state, lga
order by state, lga
