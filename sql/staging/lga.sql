-- lga: counts the staged frames of each local government area, and keeps the lowest of differing codes.
-- Rows go in by name, so that those of a state lie on few pages.
insert into lga (state, lga, lga_code, frames)
select state, lga, min(lga_code) as lga_code, count(*) as frames
from frame where lga is not null group by state, lga
order by state, lga
