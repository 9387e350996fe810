-- ward_land: unites the staged frames of each ward, and those of an area that lie in no ward.
-- A table of its own, since PostgreSQL makes one on all cores, and an insert on one.
create unlogged table staging.ward_land as
select state, lga, ward, ST_Union(geom) as geom
from staging.frame
where state is not null
group by state, lga, ward
