-- ward_area: makes the land of each ward: its area, or for a ward point the land that is nearest to it (Voronoi).
-- Points at the same place share one cell, which goes to the lowest name. Pieces of the same name are one ward.
-- One point alone has no Voronoi cell: its land is the point, and sql/build/frame_add.sql finds it as the nearest.
create unlogged table staging.ward_area as
with place as (  -- one ward point at each place
  select distinct on (geom) state, state_code, lga, lga_code, ward, ward_code, zone, zone_code, geom
  from staging.ward_source
  where GeometryType(geom) = 'POINT' and state is not null and lga is not null
  order by geom, state collate "C", lga collate "C", ward collate "C"
), land as (  -- the Voronoi cells, which reach one degree beyond the outline
  select (ST_Dump(ST_VoronoiPolygons(ST_Collect(place.geom), 0, (
    select ST_Expand(ST_Extent(geom)::geometry, 1) from staging.outline_source)))).geom as geom
  from place
), area as (  -- the land of ward points, and the areas of wards in pieces of at most 128 vertices, which are fast to search
  select state, state_code, lga, lga_code, ward, ward_code, zone, zone_code, coalesce(ST_SetSRID(land.geom, 4326), place.geom) as geom
  from place left join land on ST_Contains(ST_SetSRID(land.geom, 4326), place.geom)
  union all
  select state, state_code, lga, lga_code, ward, ward_code, zone, zone_code,
    ST_Subdivide(ST_CollectionExtract(ST_MakeValid(geom), 3), 128) as geom
  from staging.ward_source
  where GeometryType(geom) in ('POLYGON', 'MULTIPOLYGON') and state is not null and lga is not null
)
select
  area.state, area.lga, area.ward, area.geom,
  min(state_code) over (partition by state) as state_code,
  min(lga_code) over (partition by state, lga) as lga_code,
  min(ward_code) over (partition by state, lga, ward) as ward_code,
  min(zone) over (partition by state) as zone,
  min(zone_code) over (partition by state) as zone_code
from area
