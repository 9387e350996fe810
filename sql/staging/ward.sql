-- ward: counts the staged frames of each ward; of differing codes the lowest is kept.
-- Rows lie in the order of their names, so that those of a state are read from few pages.
insert into ward (state, lga, ward, ward_code, frames)
select state, lga, ward, min(ward_code) as ward_code, count(*) as frames
from frame where ward is not null group by state, lga, ward
order by state, lga, ward
