/** Breaks of frames and units. */
import { ids } from '../../support/datasets.js'
import type { Break } from './break.js'

const frame = ids[0] ?? ''
const build = /^npm run -s frames -- build --outline "outline.geojson" --wards "wards.json"$/

export const framesBreaks: Break[] = [
  {
    what: 'land that is not that of the frames',
    check: 'unit_areas',
    severity: 'wrong',
    by: "update unit_area set geom = ST_Multi(ST_Buffer(geom, 0.001)) where lga is null and state = 'MAREMBE'",
    says: /^1 units have other land than their frames, such as MAREMBE\.$/,
  },
  {
    what: 'the land of a ward that there is not',
    check: 'unit_areas',
    severity: 'wrong',
    by: "update unit_area set ward = 'ATLANTIS' where unit_id = (select min(unit_id) from unit_area where ward is not null)",
    says: /^2 units have other land than their frames/,
  },
  {
    what: 'a shape that crosses itself',
    check: 'frames_invalid',
    severity: 'wrong',
    by: `update frame set geom = ST_GeomFromText('POLYGON((0.2 0.1,0.21 0.11,0.21 0.1,0.2 0.11,0.2 0.1))', 4326) where frame_id = ${frame}`,
    says: new RegExp(`^1 frames are misshapen, such as ${frame}: Self-intersection`),
  },
  {
    what: 'a ring that runs clockwise',
    check: 'frames_invalid',
    severity: 'wrong',
    by: `update frame set geom = ST_ForcePolygonCW(geom) where frame_id = ${frame}`,
    says: /its ring runs clockwise/,
  },
  {
    what: 'a column that no longer follows the shape',
    check: 'stored_text',
    severity: 'wrong',
    by: 'alter table frame alter bbox drop expression',
    says: /^frame\.bbox is not generated from geom any more/,
  },
  {
    what: 'stored text of another shape',
    check: 'stored_text',
    severity: 'wrong',
    by: `update pg_attribute set attgenerated = '' where attrelid = 'frame'::regclass and attname = 'bbox';
      update frame set bbox = '[0,0,0,0]' where frame_id = ${frame};
      update pg_attribute set attgenerated = 's' where attrelid = 'frame'::regclass and attname = 'bbox'`,
    says: new RegExp(`^1 rows of frame have stored values of another shape, such as ${frame}\\.$`),
  },
  {
    what: 'an area that no longer follows the shape',
    check: 'stored_text',
    severity: 'wrong',
    by: 'alter table frame alter area_km2 drop expression',
    says: /^frame\.area_km2 is not generated from geom any more/,
  },
  {
    what: 'a stored area of another shape',
    check: 'stored_text',
    severity: 'wrong',
    by: `update pg_attribute set attgenerated = '' where attrelid = 'unit_area'::regclass and attname = 'area_km2';
      update unit_area set area_km2 = 1 where lga is null and state = 'MAREMBE';
      update pg_attribute set attgenerated = 's' where attrelid = 'unit_area'::regclass and attname = 'area_km2'`,
    says: /^1 rows of unit_area have stored values of another shape, such as MAREMBE\.$/,
  },
  {
    what: 'a frame over others',
    check: 'frames_overlap',
    severity: 'wrong',
    by: 'insert into frame (frame_id, geom) values (7, ST_MakeEnvelope(0.205, 0.105, 0.215, 0.115, 4326))',
    says: /^5 frames share land with another, such as 7 and \d+: a point there has two frames\.$/,
    fix: build,
    undo: 'delete from frame where frame_id = 7',
  },
  {
    what: 'a frame that is not in its square',
    check: 'frames_off_grid',
    severity: 'wrong',
    by: 'insert into frame (frame_id, geom) values (7, ST_MakeEnvelope(50.2, 50.1, 50.21, 50.11, 4326))',
    says: /^1 frames lie outside the square that their id names, such as 7\.$/,
    fix: build,
    undo: 'delete from frame where frame_id = 7',
  },
  {
    what: 'a hole in the grid',
    check: 'frames_missing',
    severity: 'wrong',
    by: `create table kept as select * from frame where frame_id = ${frame}; delete from frame where frame_id = ${frame}`,
    says: new RegExp(`^1 cells have no frame, though all around them is land, such as ${frame}\\.$`),
    fix: build,
    undo: `insert into frame (frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code)
      select frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code from kept; drop table kept`,
  },
  {
    what: 'a frame in no unit',
    check: 'frames_without_unit',
    severity: 'advice',
    by: `update frame set (state, lga, ward) = (null, null, null) where frame_id = ${frame}`,
    says: new RegExp(`^1 frames are in no unit, such as ${frame}\\.$`),
  },
  {
    what: 'a frame in no ward',
    check: 'frames_without_unit',
    severity: 'advice',
    by: `update frame set ward = null where frame_id = ${frame}`,
    says: new RegExp(`^1 frames are in no ward of an area that has wards, such as ${frame}\\.$`),
  },
  {
    what: 'a name that no call can match',
    check: 'names_unfolded',
    severity: 'wrong',
    by: "update frame set state = 'Marembe' where state = 'MAREMBE' and lga = 'LAKESIDE'",
    says: /^\d+ units have names that no call matches, such as Marembe, LAKESIDE, /,
  },
  {
    what: 'a state that is counted wrongly',
    check: 'units_counted',
    severity: 'wrong',
    by: "update state set frames = frames + 1 where state = 'MAREMBE'",
    says: /^Table state is wrong about 1 units, such as MAREMBE: it says \d+, there are \d+ frames\.$/,
  },
  {
    what: 'an area that is missing',
    check: 'units_counted',
    severity: 'wrong',
    by: "delete from lga where state = 'MAREMBE' and lga = 'LAKESIDE'",
    says: /^Table lga is wrong about 1 units, such as LAKESIDE, MAREMBE: it says nothing, there are \d+ frames\.$/,
  },
  {
    what: 'a ward without frames',
    check: 'units_counted',
    severity: 'wrong',
    by: "insert into ward values ('MAREMBE', 'LAKESIDE', 'ATLANTIS', null, 3)",
    says: /^Table ward is wrong about 1 units, such as ATLANTIS, LAKESIDE, MAREMBE: it says 3, there are no frames\.$/,
  },
  {
    what: 'an index that is counted wrongly',
    check: 'units_counted',
    severity: 'wrong',
    by: 'update index_generation set frames = 1',
    says: /^index_generation says 1 frames, there are \d+\.$/,
  },
  {
    what: 'a run that is missing',
    check: 'frame_runs',
    severity: 'wrong',
    by: 'delete from frame_run where first_id = (select min(first_id) from frame_run)',
    says: /^256 frames are in no run that holds them\.$/,
  },
  {
    what: 'a run that is too small',
    check: 'frame_runs',
    severity: 'wrong',
    by: 'update frame_run set extent = ST_Buffer(ST_Centroid(extent), 0.001) where first_id = (select min(first_id) from frame_run)',
    says: /frames are in no run/,
  },
  {
    what: 'runs that overlap',
    check: 'frame_runs',
    severity: 'wrong',
    by: 'insert into frame_run select first_id + 1, last_id, extent from frame_run order by first_id limit 1',
    says: /^Runs of frames overlap\.$/,
  },
  {
    what: 'frames that are scattered over the table',
    check: 'frames_scattered',
    severity: 'advice',
    by: 'create index frame_by_hash on frame (hashint8(frame_id)); cluster frame using frame_by_hash; drop index frame_by_hash',
    says: /^Frames that lie side by side do not in the table: boxes of \d+ frames read \d+ pages\.$/,
  },
]
