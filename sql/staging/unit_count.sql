-- unit_count: counts the staged frames of each ward, and of areas without wards, in one pass.
-- PostgreSQL uses all cores to make a table, and one core for an insert: hence a table of its own, which state.sql,
-- lga.sql and ward.sql read in the same transaction.
create temporary table unit_count on commit drop as
select state, lga, ward, min(state_code) as state_code, min(lga_code) as lga_code, min(ward_code) as ward_code, min(zone) as zone,
  min(zone_code) as zone_code, count(*) as frames
from frame
where state is not null
group by state, lga, ward
