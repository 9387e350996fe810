-- ward_land: unites the staged frames of each ward, and those of an area that lie in no ward.
-- PostgreSQL uses all cores to make a table, and one core for an insert: hence a table of its own, which unit_area.sql
-- reads in the same transaction.
create temporary table ward_land on commit drop as
select state, lga, ward, ST_Union(geom) as geom
from frame
where state is not null
group by state, lga, ward
