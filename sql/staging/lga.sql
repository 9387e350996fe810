-- lga: counts the staged frames of each local government area; of differing codes the lowest is kept.
-- Rows lie in the order of their names, so that those of a state are read from few pages.
insert into lga (state, lga, lga_code, frames)
select state, lga, min(lga_code) as lga_code, count(*) as frames
from frame where lga is not null group by state, lga
order by state, lga
