/** Breaks of datasets and of the views of analysts. */
import { ids } from '../../support/datasets.js'
import type { Break } from './break.js'

const frame = ids[0] ?? ''

export const datasetsBreaks: Break[] = [
  {
    what: 'a feature that is in no frame',
    check: 'features_joined',
    severity: 'wrong',
    by: "delete from feature_frame using dataset where feature_frame.version = dataset.version and layer_id = 'lyr_schools' and feature_no = 1",
    says: /^lyr_schools is out of step with the frames at 1 places, such as frame \d+\.$/,
  },
  {
    what: 'a feature in a frame that is not there',
    check: 'features_joined',
    severity: 'wrong',
    by: "insert into feature_frame select version, 7, 1 from dataset where layer_id = 'lyr_schools'",
    says: /^lyr_schools is out of step with the frames at 1 places, such as frame 7\.$/,
  },
  {
    what: 'a feature that was moved',
    check: 'features_joined',
    severity: 'wrong',
    by: "update feature set geom = ST_Translate(geom, 0, 50) from dataset where dataset.version = feature.version and layer_id = 'lyr_schools' and feature_no = 2",
    says: /^lyr_schools is out of step/,
  },
  {
    what: 'a row that is lost',
    check: 'dataset_items',
    severity: 'wrong',
    by: `delete from baseline_row where (version, frame_id) = (select version, min(frame_id) from baseline_row join dataset using (version)
      where layer_id = 'lyr_population' group by version)`,
    says: /^lyr_population was imported with \d+ rows, there are \d+\.$/,
  },
  {
    what: 'two datasets of one version',
    check: 'dataset_items',
    severity: 'wrong',
    by: `alter table dataset drop constraint dataset_version_once;
      update dataset set synonyms = array[dataset.version::text, items::text], version = other.version, items = 1
      from (select version from dataset where layer_id = 'lyr_population') as other where layer_id = 'lyr_schools'`,
    says: /^lyr_population has version \d+, and so has lyr_schools: each is answered with the rows of all\.$/,
    fix: /^-- Import lyr_population and lyr_schools again: each import has a version of its own\.$/,
    undo: `update dataset set version = synonyms[1]::bigint, items = synonyms[2]::bigint, synonyms = '{}' where layer_id = 'lyr_schools';
      alter table dataset add constraint dataset_version_once unique (version);
      comment on index dataset_version_once is 'The dataset that rows belong to: no two have one version.'`,
  },
  {
    what: 'rows of another import among those of a dataset',
    check: 'dataset_items',
    severity: 'wrong',
    by: "insert into baseline_row select version, 7, '{}' from dataset where layer_id = 'lyr_population'",
    says: /^lyr_population was imported with \d+ rows, there are \d+\.$/,
    fix: /^-- Import lyr_population again: rows of another import are among its own\.$/,
    undo: 'delete from baseline_row where frame_id = 7',
  },
  {
    what: 'a class that was not kept',
    check: 'classes_kept',
    severity: 'wrong',
    by: "delete from class where layer_id = 'lyr_schools' and value = 'Secondary'",
    says: /^lyr_schools has 1 values of level that are not among its classes, such as "Secondary"\.$/,
  },
  {
    what: 'a unit with a wrong count',
    check: 'unit_frames',
    severity: 'wrong',
    by: "update unit set frames = 1 where level = 'state' and state = 'MAREMBE'",
    says: /^Table unit is wrong about 1 units, such as state MAREMBE\.$/,
  },
  {
    what: 'a block that is missing',
    check: 'unit_frames',
    severity: 'wrong',
    by: "delete from unit where unit_id = (select max(unit_id) from unit where level = 'block')",
    says: /^Table unit is wrong about 1 units, such as block \d+\.$/,
  },
  {
    what: 'a frame in a wrong block',
    check: 'unit_frames',
    severity: 'wrong',
    by: 'update frame_unit set block_id = 0 where frame_id = (select min(frame_id) from frame_unit)',
    says: /^Table frame_unit is wrong about 1 frames, such as \d+\.$/,
  },
  {
    what: 'a dataset without totals',
    check: 'totals_missing',
    severity: 'wrong',
    by: `delete from unit_total where version = (select version from dataset where layer_id = 'lyr_roads');
      delete from attribute_spread where version = (select version from dataset where layer_id = 'lyr_roads')`,
    says: /^lyr_roads has no totals over units\.$/,
  },
  {
    what: 'a sum that is wrong in one unit',
    check: 'baseline_totals',
    severity: 'wrong',
    by: `update unit_total set number = number + 1 where unit_id = 0 and attribute = 'pop_demest26'`,
    says: /^lyr_population has 1 totals that differ from their frames, such as of pop_demest26\.$/,
  },
  {
    what: 'a mean whose frames changed',
    check: 'baseline_totals',
    severity: 'wrong',
    by: `update unit_total set recorded = recorded - 1 where unit_id = (select min(unit_id) from unit where level = 'ward')
        and attribute = 'phy_elevmean'`,
    says: /^lyr_terrain has 1 totals that differ/,
  },
  {
    what: 'a total that is missing',
    check: 'baseline_totals',
    severity: 'wrong',
    by: `delete from unit_total where attribute = 'pop_demest26' and unit_id = (select min(unit_id) from unit where level = 'block')`,
    says: /^lyr_population has 1 totals that differ/,
  },
  {
    what: 'features that are counted twice in a unit',
    check: 'feature_totals',
    severity: 'wrong',
    by: `update unit_total set number = 2 * number where attribute = 'features' and unit_id = 0
        and version = (select version from dataset where layer_id = 'lyr_schools')`,
    says: /^lyr_schools has 1 totals that differ from their frames\.$/,
  },
  {
    what: 'the area of polygons that is wrong in a unit',
    check: 'feature_totals',
    severity: 'wrong',
    by: "update unit_total set number = number - 1 where attribute = 'km2' and unit_id = 0",
    says: /^lyr_\w+ has 1 totals that differ from their frames\.$/,
  },
  {
    what: 'rows of a baseline that was replaced',
    check: 'versions_left',
    severity: 'advice',
    by: `insert into baseline_row values (900002, ${frame}, '{}')`,
    says: /^baseline_row has rows of version 900002, which no dataset has\.$/,
  },
  {
    what: 'features of a dataset that was replaced',
    check: 'versions_left',
    severity: 'advice',
    by: "insert into feature (version, feature_no, feature_id, geom, properties) values (900003, 1, 'x', ST_SetSRID(ST_MakePoint(0, 0), 4326), '{}')",
    says: /^feature has rows of version 900003/,
  },
  {
    what: 'joined frames of a dataset that was replaced',
    check: 'versions_left',
    severity: 'advice',
    by: `insert into feature_frame values (900004, ${frame}, 1)`,
    says: /^feature_frame has rows of version 900004/,
  },
  {
    what: 'an import that died',
    check: 'staging_left',
    severity: 'advice',
    by: 'select staging_open()',
    says: /^Schema staging is left of a build or an import that died: \d+ /,
    asAdmin: true,
  },
  {
    what: 'views of analysts that are missing',
    check: 'analyst_views',
    severity: 'wrong',
    by: 'drop view analyst.lyr_population; drop view analyst.ward',
    says: /^Schema analyst lacks lyr_population, ward\.$/,
  },
  {
    what: 'a view that lacks an attribute of its dataset',
    check: 'analyst_views',
    severity: 'wrong',
    by: `insert into attribute (layer_id, name, place, label, type, summary) values ('lyr_population', 'pop_new', 99, 'New', 'number', 'mean')`,
    says: /^View analyst\.lyr_population lacks 1 attributes of its dataset, such as pop_new\.$/,
  },
  {
    what: 'a view of a dataset that is gone',
    check: 'analyst_views',
    severity: 'wrong',
    by: 'create view analyst.lyr_gone as select 1 as id',
    says: /^Schema analyst has views of datasets that are gone: lyr_gone\.$/,
    asAdmin: true,
  },
  {
    what: 'an analyst who cannot read the views',
    check: 'analyst_views',
    severity: 'wrong',
    by: 'create role reader_of_tests; grant usage on schema analyst to reader_of_tests',
    says: /^reader_of_tests may use schema analyst and cannot read \d+ of its views\.$/,
  },
]
