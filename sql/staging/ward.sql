-- ward: takes the frames of each ward and the lowest of differing codes from table unit_count.
-- Rows go in by name, so that those of a state lie on few pages.
insert into ward (state, lga, ward, ward_code, frames)
select state, lga, ward, ward_code, frames
from unit_count where ward is not null
order by state, lga, ward
