-- unit_area: makes the land of each unit: wards as ward_land united them, areas from wards, states from areas.
insert into unit_area (unit_id, state, lga, ward, geom)
with lga_land as (  -- one row for each local government area
  select state, lga, ST_Union(geom) as geom from ward_land group by state, lga
), land as (  -- one row for each unit of any level
  select state, lga, ward, geom from ward_land where ward is not null
  union all
  select state, lga, null, geom from lga_land
  union all
  select state, null, null, ST_Union(geom) from lga_land group by state
)
select
  row_number() over (order by state collate "C", lga collate "C" nulls first, ward collate "C" nulls first) as unit_id,
  state, lga, ward,
  ST_Multi(ST_CollectionExtract(geom, 3)) as geom
from land
