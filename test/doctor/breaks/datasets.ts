/** Breaks of datasets and of the views of analysts. */
import { ids } from '../../support/datasets.js'
import { breaksOf } from './break.js'

const frame = ids[0] ?? ''

export const datasetsBreaks = breaksOf({
  features_joined: [
    [
      'a feature that is in no frame',
      "delete from feature_frame using dataset where feature_frame.version = dataset.version and layer_id = 'lyr_schools' and feature_no = 1",
      /^Places where lyr_schools is out of step with the frames: 1, such as frame \d+\.$/,
    ],
    [
      'a feature in a frame that is not there',
      "insert into feature_frame select version, 7, 1 from dataset where layer_id = 'lyr_schools'",
      /^Places where lyr_schools is out of step with the frames: 1, such as frame 7\.$/,
    ],
    [
      'a feature that was moved',
      "update feature set geom = ST_Translate(geom, 0, 50) from dataset where dataset.version = feature.version and layer_id = 'lyr_schools' and feature_no = 2",
      /^Places where lyr_schools is out of step/,
    ],
    [
      'a length that is not that of the feature',
      `update feature_frame set extent = 1 + extent from dataset where dataset.version = feature_frame.version and layer_id = 'lyr_roads' and feature_no = 1`,
      /^Places where lyr_roads is out of step with the frames: \d+, such as frame \d+\.$/,
    ],
    [
      'a frame that has another number',
      `update feature_frame set number = 1 + number from dataset where dataset.version = feature_frame.version and layer_id = 'lyr_schools' and feature_no = 1`,
      /^Places where lyr_schools is out of step with the frames: 1, such as frame \d+\.$/,
    ],
  ],
  distances_kept: [
    [
      'a distance that is too long',
      `update baseline_row set recorded = '{"clinics_km":"99","clinics_band":"20+ km"}'
      from dataset where dataset.version = baseline_row.version and layer_id = 'lyr_clinics_distance' and frame_id = ${frame}`,
      /^Distances to lyr_clinics that differ from its features: 1, such as of frame \d+\.$/,
    ],
    [
      'a distance that is too short',
      `update baseline_row set recorded = '{"schools_km":"0","schools_band":"0-1 km"}'
      from dataset where dataset.version = baseline_row.version and layer_id = 'lyr_schools_distance' and frame_id = ${frame}`,
      /^Distances to lyr_schools that differ from its features: 1, such as of frame \d+\.$/,
    ],
  ],
  intervals_kept: [
    [
      'draws of a frame that were changed',
      `update frame_interval set draws = array_fill(9::numeric, '{40}') where frame_id = ${frame}`,
      /^Intervals of lyr_population that differ from the draws of their frames: 5, such as pop_demest26 of block \d+\.$/,
    ],
    [
      'a bound that is too low',
      'update unit_interval set lower = 0 where unit_id = 10000000 + (select max(block) from unit)',
      /^Intervals of lyr_population that differ from the draws of their frames: 1, such as pop_demest26 of block \d+\.$/,
    ],
  ],
  dataset_items: [
    [
      'a row that is lost',
      `delete from baseline_row where (version, frame_id) = (select version, min(frame_id) from baseline_row join dataset using (version)
      where layer_id = 'lyr_population' group by version)`,
      /^lyr_population was imported with \d+ rows, there are \d+\.$/,
    ],
    [
      'two datasets of one version',
      `alter table dataset drop constraint dataset_version_once;
      update dataset set synonyms = array[dataset.version::text, items::text], version = other.version, items = 1
      from (select version from dataset where layer_id = 'lyr_population') as other where layer_id = 'lyr_schools'`,
      /^lyr_population has version \d+, and so has lyr_schools: each is answered with the rows of all\.$/,
      {
        fix: /^-- Import lyr_population and lyr_schools again: each import has a version of its own\.$/,
        undo: `update dataset set version = synonyms[1]::bigint, items = synonyms[2]::bigint, synonyms = '{}' where layer_id = 'lyr_schools';
      alter table dataset add constraint dataset_version_once unique (version);
      comment on index dataset_version_once is 'The dataset that rows belong to: no two have one version.'`,
      },
    ],
    [
      'rows of another import among those of a dataset',
      "insert into baseline_row select version, 7, '{}' from dataset where layer_id = 'lyr_population'",
      /^lyr_population was imported with \d+ rows, there are \d+\.$/,
      {
        fix: /^-- Import lyr_population again: rows of another import are among its own\.$/,
        undo: 'delete from baseline_row where frame_id = 7',
      },
    ],
  ],
  classes_kept: [
    [
      'a class that was not kept',
      "delete from class where layer_id = 'lyr_schools' and value = 'Secondary'",
      /^lyr_schools has values of level that are not among its classes, or not as often: 1, such as "Secondary"\.$/,
    ],
    [
      'classes that are all gone',
      'delete from class',
      /^lyr_schools has no classes of boarding; no classes of level\.$/,
    ],
  ],
  unit_frames: [
    [
      'a unit with a wrong count',
      "update unit set frames = 1 where level = 'state' and state = 'MAREMBE'",
      /^Units that table unit is wrong about: 1, such as state MAREMBE\.$/,
    ],
    [
      'a frame in a wrong block',
      'update frame_unit set block_id = 0 where frame_id = (select min(frame_id) from frame_unit)',
      /^Frames that table frame_unit is wrong about: 1, such as \d+\.$/,
    ],
    [
      'a frame that lies elsewhere',
      "update frame_order set spot = 'SRID=4326;POINT(0 0)' where number = 7",
      /^Frames that table frame_order is wrong about: 1, such as \d+\.$/,
    ],
  ],
  arrays_kept: [
    [
      'values of a frame that were changed, and those of another that are lost',
      `update value_row set numbers[1] = 1 + coalesce(numbers[1], 0) from dataset
      where dataset.version = value_row.version and layer_id = 'lyr_market' and frame_id = (select max(frame_id) from value_row where version = dataset.version);
      delete from value_row using dataset
      where dataset.version = value_row.version and layer_id = 'lyr_market' and frame_id = (select min(frame_id) from value_row where version = dataset.version)`,
      /^Rows of lyr_market whose values differ from those of baseline_row: 2, such as frame \d+\.$/,
    ],
    [
      'a value that was changed, and an array that is lost',
      `update value_array set numbers[1] = 1 + coalesce(numbers[1], 0) where name = 'pop_demest26' and chunk = 0;
      delete from value_array where name = 'pop_demest25'`,
      /^Arrays of lyr_population that differ from its values: 2, such as pop_demest25 chunk 0\.$/,
    ],
    [
      'the land of the index',
      "update value_array set numbers[2] = 0 where name = 'geom'",
      /^Arrays of frames that differ from its values: 1, such as geom chunk 0\.$/,
    ],
    [
      'a property of features',
      "update value_array set texts[1] = 'Nursery' where name = 'level'",
      /^Arrays of lyr_schools that differ from its values: 1, such as level chunk 0\.$/,
    ],
  ],
  totals_missing: [
    [
      'a dataset without totals',
      `delete from unit_total where version = (select version from dataset where layer_id = 'lyr_roads');
      delete from attribute_spread where version = (select version from dataset where layer_id = 'lyr_roads')`,
      /^lyr_roads has no totals over units\.$/,
    ],
  ],
  totals_add_up: [
    [
      'spreads that are lost',
      `delete from attribute_spread using dataset where level = 'lga' and attribute_spread.version = dataset.version and layer_id = 'lyr_culture';
      update block_class set frames = frames + 1 from dataset where block_class.version = dataset.version and layer_id = 'lyr_culture'`,
      /^Totals of lyr_culture that do not add up: \d+/,
    ],
  ],
  baseline_totals: [
    [
      'a sum that is wrong in one unit, and one that is missing',
      `update unit_total set number = number + 1 where unit_id = 0 and attribute = 'pop_demest26';
      delete from unit_total where attribute = 'pop_demest26' and unit_id = (select min(unit_id) from unit where level = 'block')`,
      /^Totals of lyr_population that differ from their frames: 2, such as pop_demest26 of block \d+\.$/,
    ],
    [
      'a mean whose frames changed',
      `update unit_total set recorded = recorded - 1 where unit_id = (select min(unit_id) from unit where level = 'ward')
        and attribute = 'phy_elevmean'`,
      /^Totals of lyr_terrain that differ from their frames: 1/,
    ],
  ],
  feature_totals: [
    [
      'features that are counted twice in a unit, and an area that is wrong',
      `update unit_total set number = 2 * number where attribute = 'features' and unit_id = 0
        and version = (select version from dataset where layer_id = 'lyr_schools');
      update unit_total set number = number - 1 where attribute = 'km2' and unit_id = 0`,
      /^Totals of lyr_schools that differ from their frames: 1, such as features of the country\.$/,
    ],
  ],
  versions_left: [
    [
      'rows of a baseline that was replaced',
      `insert into baseline_row values (900002, ${frame}, '{}')`,
      /^baseline_row has rows of version 900002, which no dataset has\.$/,
      { severity: 'advice' },
    ],
    [
      'features of a dataset that was replaced',
      "insert into feature (version, feature_no, feature_id, geom, properties) values (900003, 1, 'x', ST_SetSRID(ST_MakePoint(0, 0), 4326), '{}')",
      /^feature has rows of version 900003/,
      { severity: 'advice' },
    ],
    [
      'joined frames of a dataset that was replaced',
      `insert into feature_frame values (900004, ${frame}, 1)`,
      /^feature_frame has rows of version 900004/,
      { severity: 'advice' },
    ],
  ],
  staging_left: [
    [
      'an import that died',
      'select staging_open()',
      /^Schema staging is left of a build or an import that died: \d+ /,
      { severity: 'advice', asAdmin: true },
    ],
  ],
  analyst_views: [
    [
      'views of analysts that are missing',
      'drop view analyst.lyr_population',
      /^Schema analyst lacks lyr_population\.$/,
    ],
    [
      'a view that lacks an attribute of its dataset',
      `insert into attribute (layer_id, name, place, label, type, summary) values ('lyr_population', 'pop_new', 99, 'New', 'number', 'mean')`,
      /^View analyst\.lyr_population lacks 1 attributes of its dataset, such as pop_new\.$/,
    ],
    [
      'a view of a dataset that is gone',
      'create view analyst.lyr_gone as select 1 as id',
      /^Schema analyst has views of datasets that are gone: lyr_gone\.$/,
      { asAdmin: true },
    ],
    [
      'a view of somebody else that shows analysts what they may not read',
      `create view public.secrets as select key_id, secret_hash from api_key; create view analyst.keys as select * from public.secrets;
      grant select on analyst.keys to frames_analyst`,
      /^View analyst\.keys is not of the program, and shows frames_analyst what it reads of .*api_key.*\.$/,
      {
        fix: /^-- \w+ made it: ask what it is for\.\nrevoke select on analyst\.keys from frames_analyst;$/,
        undo: 'drop view analyst.keys, public.secrets',
      },
    ],
    [
      'an analyst who cannot read the views',
      'create role reader_of_tests; grant usage on schema analyst to reader_of_tests',
      /^reader_of_tests may use schema analyst and cannot read \d+ of its views\.$/,
    ],
  ],
})
