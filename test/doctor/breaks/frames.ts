/** Breaks of frames and units. */
import { ids } from '../../support/datasets.js'
import { breaksOf } from './break.js'

const frame = ids[0] ?? ''
const build = /^-- In a shell:\nnpm run -s frames -- build --outline "outline.geojson" --wards "wards.json"$/

export const framesBreaks = breaksOf({
  unit_areas: [
    [
      'land that is not that of the frames',
      "update unit_area set geom = ST_Multi(ST_Buffer(geom, 0.001)) where lga is null and state = 'MAREMBE'",
      /^Units with other land than their frames: 1, such as MAREMBE\.$/,
    ],
    [
      'the land of a ward that there is not',
      "update unit_area set ward = 'ATLANTIS' where unit_id = (select min(unit_id) from unit_area where ward is not null)",
      /^Units with other land than their frames: 2/,
    ],
  ],
  frames_invalid: [
    [
      'a shape that crosses itself',
      `update frame set geom = ST_GeomFromText('POLYGON((0.2 0.1,0.21 0.11,0.21 0.1,0.2 0.11,0.2 0.1))', 4326) where frame_id = ${frame}`,
      new RegExp(`^Misshapen frames: 1, such as ${frame}: Self-intersection`),
    ],
    [
      'a ring that runs clockwise',
      `update frame set geom = ST_ForcePolygonCW(geom) where frame_id = ${frame}`,
      /its ring runs clockwise/,
    ],
  ],
  stored_text: [
    [
      'a column that no longer follows the shape',
      'alter table frame alter bbox drop expression',
      /^frame\.bbox is not generated from geom any more/,
    ],
    [
      'stored text of another shape',
      `update pg_attribute set attgenerated = '' where attrelid = 'frame'::regclass and attname = 'bbox';
      update frame set bbox = '[0,0,0,0]' where frame_id = ${frame};
      update pg_attribute set attgenerated = 's' where attrelid = 'frame'::regclass and attname = 'bbox'`,
      new RegExp(`^Rows of frame with stored values of another shape: 1, such as ${frame}\\.$`),
    ],
    [
      'an area that no longer follows the shape',
      'alter table frame alter area_km2 drop expression',
      /^frame\.area_km2 is not generated from geom any more/,
    ],
    [
      'a stored area of another shape',
      `update pg_attribute set attgenerated = '' where attrelid = 'unit_area'::regclass and attname = 'area_km2';
      update unit_area set area_km2 = 1 where lga is null and state = 'MAREMBE';
      update pg_attribute set attgenerated = 's' where attrelid = 'unit_area'::regclass and attname = 'area_km2'`,
      /^Rows of unit_area with stored values of another shape: 1, such as MAREMBE\.$/,
    ],
  ],
  frames_overlap: [
    [
      'a frame over others',
      'insert into frame (frame_id, geom) values (7, ST_MakeEnvelope(0.205, 0.105, 0.215, 0.115, 4326))',
      /^Frames that share land with another: 5, such as 7 and \d+: a point there has two frames\.$/,
      { fix: build, undo: 'delete from frame where frame_id = 7' },
    ],
  ],
  frames_off_grid: [
    [
      'a frame that is not in its square',
      'insert into frame (frame_id, geom) values (7, ST_MakeEnvelope(50.2, 50.1, 50.21, 50.11, 4326))',
      /^Frames outside the square that their id names: 1, such as 7\.$/,
      { fix: build, undo: 'delete from frame where frame_id = 7' },
    ],
  ],
  frames_missing: [
    [
      'a hole in the grid',
      `create table kept as select * from frame where frame_id = ${frame}; delete from frame where frame_id = ${frame}`,
      new RegExp(`^Cells without a frame, though all around them is land: 1, such as ${frame}\\.$`),
      {
        fix: build,
        undo: `insert into frame (frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code)
      select frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code from kept; drop table kept`,
      },
    ],
  ],
  frames_without_unit: [
    [
      'a frame in no unit',
      `update frame set (state, lga, ward) = (null, null, null) where frame_id = ${frame}`,
      new RegExp(`^Frames in no unit: 1, such as ${frame}\\.$`),
      { severity: 'advice' },
    ],
    [
      'a frame in no ward',
      `update frame set ward = null where frame_id = ${frame}`,
      new RegExp(`^Frames in no ward of an area that has wards: 1, such as ${frame}\\.$`),
      { severity: 'advice' },
    ],
  ],
  names_unfolded: [
    [
      'a name that no call can match',
      "update frame set state = 'Marembe' where state = 'MAREMBE' and lga = 'LAKESIDE'",
      /^Units with names that no call matches: \d+, such as Marembe, LAKESIDE, /,
    ],
  ],
  units_counted: [
    [
      'a state that is counted wrongly',
      "update state set frames = frames + 1 where state = 'MAREMBE'",
      /^Units that tables state, lga and ward are wrong about: 1, such as state MAREMBE\.$/,
    ],
    [
      'an area that is missing',
      "delete from lga where state = 'MAREMBE' and lga = 'LAKESIDE'",
      /^Units that tables state, lga and ward are wrong about: 1, such as lga LAKESIDE, MAREMBE\.$/,
    ],
    [
      'a ward without frames',
      "insert into ward values ('MAREMBE', 'LAKESIDE', 'ATLANTIS', null, 3)",
      /^Units that tables state, lga and ward are wrong about: 1, such as ward ATLANTIS, LAKESIDE, MAREMBE\.$/,
    ],
    [
      'an index that is counted wrongly',
      'update index_generation set frames = 1',
      /^Units that tables state, lga and ward are wrong about: 1, such as the country\.$/,
    ],
  ],
  frame_runs: [
    [
      'a run that is missing',
      'delete from frame_run where first_id = (select min(first_id) from frame_run)',
      /^Runs of frames that table frame_run is wrong about: 1, such as the run from frame \d+\.$/,
    ],
    [
      'a run that is too small',
      'update frame_run set extent = ST_Buffer(ST_Centroid(extent), 0.001) where first_id = (select min(first_id) from frame_run)',
      /^Runs of frames that table frame_run is wrong about: 1, /,
    ],
    [
      'runs that overlap',
      'insert into frame_run select first_id + 1, last_id, extent from frame_run order by first_id limit 1',
      /^Runs of frames that table frame_run is wrong about: 1, /,
    ],
  ],
})
