-- frame_add: makes each cell a frame of the ward that holds the point inside it, else of the nearest ward.
-- Where several wards hold the point, the frame goes to the lowest name.
-- Rows go in along the Hilbert curve of geom, so that a box reads few pages.
insert into staging.frame (frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code)
select cell.frame_id, cell.geom, (unit).state, (unit).state_code, (unit).lga, (unit).lga_code, (unit).ward,
  (unit).ward_code, (unit).zone, (unit).zone_code
from staging.cell
left join lateral (
  select area from staging.ward_area as area
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
cross join lateral (select coalesce(holding.area, nearest.area) as unit) as chosen
order by cell.geom
