-- frame_add: makes each cell a frame of the ward that holds the point inside it, else of the nearest ward.
-- Where several wards hold the point, the frame goes to the lowest name.
-- Rows go in along the Hilbert curve of geom, so that a box reads few pages.
with placed as materialized (  -- each cell with its ward, and how many pieces of areas hold its point
  select cell.frame_id, cell.geom, cell.spot, coalesce(holding.area, nearest.area) as unit, coalesce(holding.pieces, 0) as pieces
  from staging.cell
  left join lateral (
    select area, count(*) over () as pieces from staging.ward_area as area
    where ST_Intersects(area.geom, cell.spot)
    order by area.state collate "C", area.lga collate "C", area.ward collate "C"
    limit 1
  ) as holding on true
  left join lateral (
    select other as area from staging.ward_area as other
    where holding.area is null
    order by other.geom <-> cell.spot
    limit 1
  ) as nearest on true
), odd as (  -- a ward that is a point has the land nearest to it, so nothing is odd about that
  insert into staging.cell_odd (frame_id, state, lga, ward, is_held)
  select frame_id, (unit).state, (unit).lga, (unit).ward, false
  from placed
  where pieces = 0 and GeometryType((unit).geom) <> 'POINT'
  union all
  -- a point on the border of two wards is inside neither
  select distinct frame_id, area.state, area.lga, area.ward, true
  from placed
  join staging.ward_area as area on ST_Contains(area.geom, placed.spot)
  where pieces > 1
)
insert into staging.frame (frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code)
select frame_id, geom, (unit).state, (unit).state_code, (unit).lga, (unit).lga_code, (unit).ward,
  (unit).ward_code, (unit).zone, (unit).zone_code
from placed
order by geom
