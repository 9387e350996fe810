-- frames_without_unit: frames without a unit in an index that has units, or without a ward in an area that has wards.
-- index: frame_state_lga_ward_frame_id_idx
-- No page of a unit has such a frame. The fix gives it the unit of the nearest frame that has one.
with stateless as (  -- one row: the number of frames without a state, and the lowest id
  select count(*) as frames, min(frame_id) as example from frame where state is null
), wardless as (  -- one row: the number of frames without a ward in areas with wards, and the lowest id
  select count(*) as frames, min(frame_id) as example
  from frame
  where lga is not null and ward is null
    and exists (select from ward where ward.state = frame.state and ward.lga = frame.lga)
)
select 'advice' as severity, 'Frames in no unit: ' || frames || ', such as ' || example || '.' as what,
  E'update frame set (state, state_code, lga, lga_code, ward, ward_code, zone, zone_code) = (\n'
  '  select near.state, near.state_code, near.lga, near.lga_code, near.ward, near.ward_code, near.zone, near.zone_code\n'
  '  from frame as near where near.state is not null order by near.geom <-> frame.geom limit 1) where state is null;\n'
  'update index_generation set generation = generation + 1;' as fix
from stateless
where frames > 0 and exists (select from state)
union all
select 'advice' as severity, 'Frames in no ward of an area that has wards: ' || frames || ', such as ' || example || '.' as what,
  E'update frame set (ward, ward_code) = (\n  select near.ward, near.ward_code from frame as near\n'
  '  where near.state = frame.state and near.lga = frame.lga and near.ward is not null order by near.geom <-> frame.geom limit 1)\n'
  '  where ward is null and lga is not null;\nupdate index_generation set generation = generation + 1;' as fix
from wardless
where frames > 0
