/** Ways to break a database, each with what the doctor says of it. */
import { ids } from '../support/datasets.js'

export type Break = {
  what: string
  check: string
  severity: 'wrong' | 'advice'
  /** Run by a superuser. */
  by: string
  says: RegExp
  /** Where the fix is no statement, or fixes by hand only: what it looks like, and what undoes the break. */
  fix?: RegExp
  undo?: string
  /** Only a superuser may run the fix. */
  asAdmin?: true
}

const frame = ids[0] ?? ''
const build = /^npm run -s frames -- build --outline "outline.geojson" --wards "wards.json"$/
/** So many visits of an index as a busy day has. */
const visits = (index: string, column: string, times: number) =>
  `set enable_seqscan = off; set enable_bitmapscan = off;
  select count(*) from generate_series(1, ${times}) as n cross join lateral (select ${column} from ${index} where ${column} = n offset 0) as hit;
  reset enable_seqscan; reset enable_bitmapscan; select pg_stat_force_next_flush()`

export const breaks: Break[] = [
  {
    what: 'a database that was never migrated',
    check: 'versions',
    severity: 'wrong',
    by: 'alter table migration rename to migration_elsewhere',
    says: /^This database was never migrated\.$/,
    fix: /^npm run -s frames -- migrate$/,
    undo: 'alter table migration_elsewhere rename to migration',
  },
  {
    what: 'a pending migration',
    check: 'migrations',
    severity: 'wrong',
    by: "update migration set name = '004_elsewhere' where name = '004_credits'",
    says: /^Migration 004_credits is pending\.$/,
    fix: /^npm run -s frames -- migrate$/,
    undo: "update migration set name = '004_credits' where name = '004_elsewhere'",
  },
  {
    what: 'a migration of a newer program',
    check: 'migrations',
    severity: 'advice',
    by: "insert into migration (name, run_on) values ('999_new', now())",
    says: /^Migration 999_new was run by another version/,
    fix: /^-- Run the newest version/,
    undo: "delete from migration where name = '999_new'",
  },
  {
    what: 'a table that is missing',
    check: 'tables_changed',
    severity: 'wrong',
    by: 'alter table frame_run rename to frame_run_elsewhere',
    says: /^Table frame_run is missing\.$/,
    fix: /^-- No statement brings its rows back: restore the database from a backup\.$/,
    undo: 'alter table frame_run_elsewhere rename to frame_run',
  },
  {
    what: 'a column that is missing',
    check: 'tables_changed',
    severity: 'wrong',
    by: 'alter table licence rename price to cost',
    says: /^Column price of licence is missing\.$/,
    fix: /^-- No statement brings its rows back/,
    undo: 'alter table licence rename cost to price',
  },
  {
    what: 'a column that may be null',
    check: 'tables_changed',
    severity: 'wrong',
    by: 'alter table credit_entry alter credits drop not null',
    says: /^Column credits of credit_entry may be null, and the migrations make it "not null"\.$/,
  },
  {
    what: 'a table of another owner',
    check: 'tables_changed',
    severity: 'wrong',
    by: 'create role stranger_of_tables; alter table licence owner to stranger_of_tables',
    says: /^Table licence belongs to stranger_of_tables, and table migration to \w+, who can neither change nor replace it\.$/,
    asAdmin: true,
  },
  {
    what: 'a view with another body',
    check: 'views_changed',
    severity: 'wrong',
    by: 'create or replace view baseline as select layer_id, frame_id, recorded from dataset join baseline_row using (version) where frame_id > 0',
    says: /^View baseline differs from the migrations: /,
  },
  {
    what: 'a view that is missing',
    check: 'views_changed',
    severity: 'wrong',
    by: 'drop view credit_statement',
    says: /^View credit_statement is missing\.$/,
  },
  {
    what: 'a rule that says something else',
    check: 'constraints_missing',
    severity: 'wrong',
    by: 'alter table account drop constraint balance_not_negative; alter table account add constraint balance_not_negative check (balance >= -100)',
    says: /^Constraint balance_not_negative of account differs from the migrations: CHECK/,
  },
  {
    what: 'a primary key that is missing',
    check: 'indexes_missing',
    severity: 'wrong',
    by: 'alter table frame_run drop constraint frame_run_pkey',
    says: /^Index frame_run_pkey of frame_run is missing\.$/,
  },
  {
    what: 'an index that is missing',
    check: 'indexes_missing',
    severity: 'wrong',
    by: 'drop index frame_geom_idx',
    says: /^Index frame_geom_idx of frame is missing\.$/,
  },
  {
    what: 'an index over other columns',
    check: 'indexes_missing',
    severity: 'wrong',
    by: 'drop index frame_state_frame_id_idx; create index frame_state_frame_id_idx on frame (state)',
    says: /^Index frame_state_frame_id_idx of frame differs from the migrations: CREATE INDEX frame_state_frame_id_idx ON frame USING btree \(state\)$/,
  },
  {
    what: 'a unique index over other columns',
    check: 'indexes_missing',
    severity: 'wrong',
    by: 'alter table credit_entry drop constraint credit_entry_once; alter table credit_entry add constraint credit_entry_once unique (entry_id, request_id)',
    says: /^Index credit_entry_once of credit_entry differs from the migrations: UNIQUE \(entry_id, request_id\)$/,
  },
  {
    what: 'a rule that is missing',
    check: 'constraints_missing',
    severity: 'wrong',
    by: 'alter table account drop constraint balance_not_negative',
    says: /^Constraint balance_not_negative of account is missing\.$/,
  },
  {
    what: 'a reference that is missing',
    check: 'constraints_missing',
    severity: 'wrong',
    by: 'alter table licence drop constraint licence_layer_id_fkey',
    says: /^Constraint licence_layer_id_fkey of licence is missing\.$/,
  },
  {
    what: 'a rule that was never held against the rows',
    check: 'constraints_missing',
    severity: 'wrong',
    by: 'alter table account drop constraint balance_not_negative; alter table account add constraint balance_not_negative check (balance >= 0) not valid',
    says: /does not hold for rows from before it/,
  },
  {
    what: 'a ledger that may be rewritten',
    check: 'triggers_missing',
    severity: 'wrong',
    by: 'alter table credit_entry disable trigger credit_entry_append_only',
    says: /^Trigger credit_entry_append_only of credit_entry is switched off\.$/,
  },
  {
    what: 'a ledger without its trigger',
    check: 'triggers_missing',
    severity: 'wrong',
    by: 'drop trigger credit_entry_append_only on credit_entry',
    says: /is missing\.$/,
  },
  {
    what: 'an index of ours that is invalid',
    check: 'indexes_invalid',
    severity: 'wrong',
    by: "update pg_index set indisvalid = false where indexrelid = 'frame_state_lga_frame_id_idx'::regclass",
    says: /^Index frame_state_lga_frame_id_idx of frame is invalid/,
  },
  {
    what: 'an index that has far more pages than rows',
    check: 'indexes_bloated',
    severity: 'advice',
    by: `insert into feature_frame select 900000, n, n from generate_series(1, 150000) as n;
      delete from feature_frame where version = 900000; select pg_stat_force_next_flush(); vacuum feature_frame`,
    says: /^Index feature_frame_pkey has \d+ (k|M)B, its \d+ rows need about \d+ (k|M)B\.$/,
  },
  {
    what: 'an index that another makes needless',
    check: 'indexes_doubled',
    severity: 'advice',
    by: 'create index frame_by_state on frame (state)',
    says: /^Index frame_by_state \(\d+ kB\) does nothing that frame_state_\w+ does not\.$/,
  },
  {
    what: 'an index that nothing reads',
    check: 'indexes_unused',
    severity: 'advice',
    by: `create index frame_by_zone on frame (zone); ${visits('frame', 'frame_id', 100_001)}`,
    says: /^Index frame_by_zone \(\d+ kB\) was never read, while frame was read \d{6,} times by others\.$/,
  },
  {
    what: 'statistics that are not there',
    check: 'statistics',
    severity: 'wrong',
    by: "delete from pg_statistic where starelid = 'frame'::regclass",
    says: /^There are no statistics of frame: /,
  },
  {
    what: 'statistics that are stale',
    check: 'statistics',
    severity: 'advice',
    by: `${'update feature set feature_id = feature_id; '.repeat(8)}select pg_stat_force_next_flush()`,
    says: /^Statistics of feature are stale: \d+ rows were changed since, it has about \d+\.$/,
  },
  {
    what: 'many dead rows',
    check: 'dead_rows',
    severity: 'advice',
    by: `insert into feature_frame select 900001, n, n from generate_series(1, 30000) as n; delete from feature_frame where version = 900001;
      select pg_stat_force_next_flush()`,
    says: /^feature_frame has \d+ dead rows to \d+ living ones\.$/,
  },
  {
    what: 'a table that autovacuum is kept from',
    check: 'autovacuum',
    severity: 'wrong',
    by: 'alter table account set (autovacuum_enabled = false)',
    says: /^Autovacuum is told to leave account alone\.$/,
  },
  ...['off', 'no', '0', 'fal'].map((spelling) => ({
    what: `a table that autovacuum is kept from by "${spelling}"`,
    check: 'autovacuum',
    severity: 'wrong' as const,
    by: `alter table frame set (autovacuum_enabled = '${spelling}')`,
    says: /^Autovacuum is told to leave frame alone\.$/,
  })),
  {
    what: 'long values that autovacuum is kept from',
    check: 'autovacuum',
    severity: 'wrong',
    by: "alter table feature set (toast.autovacuum_enabled = 'off')",
    says: /^Autovacuum is told to leave feature alone \(its long values\)\.$/,
  },
  {
    what: 'a table that autovacuum never comes to',
    check: 'autovacuum',
    severity: 'wrong',
    by: 'alter table credit_entry set (autovacuum_vacuum_threshold = 2000000000)',
    says: /^Autovacuum waits for 2000000000 rows of credit_entry\.$/,
  },
  {
    what: 'a table that has far more pages than rows',
    check: 'tables_bloated',
    severity: 'advice',
    // The rows that stay are behind those that go: a vacuum alone cannot shorten the table.
    by: `insert into feature_frame select 900005, n, n from generate_series(1, 300000) as n; update feature_frame set version = version where version <> 900005;
      delete from feature_frame where version = 900005; select pg_stat_force_next_flush(); vacuum (analyze) feature_frame`,
    says: /^Table feature_frame has \d+ (k|M)B, its \d+ rows need about \d+ (k|M)B\.$/,
  },
  {
    what: 'a table whose rows a policy may hide',
    check: 'row_security',
    severity: 'wrong',
    by: 'alter table licence enable row level security; alter table licence force row level security',
    says: /^Row security is on for licence: frames_service sees the rows that a policy shows, or none\.$/,
  },
  {
    what: 'tables that a crash empties',
    check: 'unlogged',
    severity: 'wrong',
    by: 'alter table worded_hold set unlogged; alter table credit_entry set unlogged; alter table account set unlogged',
    says: /^Table account is unlogged: a crash empties it, and no replica has it\.$/,
  },
  {
    what: 'a sequence that a crash sets back',
    check: 'unlogged',
    severity: 'wrong',
    by: 'alter sequence dataset_version set unlogged',
    says: /^Sequence dataset_version is unlogged/,
  },
  {
    what: 'a generation that is not known',
    check: 'generation_missing',
    severity: 'wrong',
    by: 'create table kept as table index_generation; delete from index_generation',
    says: /^index_generation has no row: which index is being served is not known\.$/,
    fix: /^insert into index_generation \(generation, /,
    undo: 'insert into index_generation table kept; drop table kept',
  },
  {
    what: 'a sequence that would give out a version again',
    check: 'sequences',
    severity: 'wrong',
    by: "select setval('dataset_version', 2)",
    says: /^Sequence dataset_version is at 2, there is a row of \d+ already\.$/,
  },
  {
    what: 'a sequence that rows of no dataset are ahead of',
    check: 'sequences',
    severity: 'wrong',
    by: 'insert into feature_frame values (900006, 1, 1)',
    says: /^Sequence dataset_version is at \d+, there is a row of 900006 already\.$/,
    fix: /^select setval\('dataset_version', 900006\);$/,
    undo: 'delete from feature_frame where version = 900006',
  },
  {
    what: 'a sequence of entries that starts again',
    check: 'sequences',
    severity: 'wrong',
    by: "select setval('credit_entry_entry_id_seq', 1, false)",
    says: /^Sequence credit_entry_entry_id_seq is at its start, there is a row of \d+ already\.$/,
  },
  {
    what: 'a function in PL/pgSQL that was changed',
    check: 'functions_changed',
    severity: 'wrong',
    by: `create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
    says: /^Function refuse_change differs from its file in sql\/functions\/\.$/,
  },
  {
    what: 'a function in SQL that was changed',
    check: 'functions_changed',
    severity: 'wrong',
    by: 'create or replace function ledger_clock() returns timestamptz language sql volatile return now()',
    says: /^Function ledger_clock differs/,
  },
  {
    what: 'a function that runs with the rights of its owner',
    check: 'functions_changed',
    severity: 'wrong',
    by: 'alter function plain_number(text) security definer',
    says: /^Function plain_number differs/,
  },
  {
    what: 'a function that is missing, which others call',
    check: 'functions_changed',
    severity: 'wrong',
    by: 'drop function analyst_name(text) cascade',
    says: /^Function analyst_name is missing\.$/,
    fix: /^create or replace function analyst_name\(name text\)/,
  },
  {
    what: 'a function that is missing',
    check: 'functions_changed',
    severity: 'wrong',
    by: 'drop function staging_close()',
    says: /^Function staging_close is missing\.$/,
    fix: /comment on function staging_close\(\) is[\s\S]*revoke execute on function staging_close from public;$/,
  },
  {
    what: 'a visibility map that is not made',
    check: 'visibility',
    severity: 'advice',
    by: 'update baseline_row set version = version; select pg_stat_force_next_flush(); analyze baseline_row',
    says: /^baseline_row: \d+ of \d+ pages are in the visibility map\.$/,
  },
  {
    what: 'a schema where anyone may make functions',
    check: 'public_schema',
    severity: 'wrong',
    by: 'grant create on schema public to public',
    says: /^Anyone may create objects in schema public\.$/,
  },
  {
    what: 'coordinates of another reference system',
    check: 'srid',
    severity: 'wrong',
    by: 'alter table frame_run alter extent type geometry(Geometry, 3857) using ST_SetSRID(extent, 3857)',
    says: /^frame_run\.extent holds coordinates of SRID 3857, 4326 is needed\.$/,
  },
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
    what: 'an account that its entries do not add up to',
    check: 'ledger',
    severity: 'wrong',
    by: "update account set balance = balance + 5 where org_id = (select org_id from organisation where name = 'demo')",
    says: /^org_\w{12}: the balance is \d+, the entries add up to \d+\.$/,
  },
  {
    what: 'an entry that was rewritten behind the trigger',
    check: 'ledger',
    severity: 'wrong',
    by: `alter table credit_entry disable trigger all;
      update credit_entry set credits = credits + 7 where entry_id = (select min(entry_id) from credit_entry);
      alter table credit_entry enable trigger all`,
    says: /the entries add up to/,
  },
  {
    what: 'an organisation without an account',
    check: 'ledger',
    severity: 'wrong',
    by: 'delete from account where org_id = (select min(org_id) from organisation)',
    says: /^org_\w{12}: there is no account\.$/,
  },
  {
    what: 'a refund of what was never charged',
    check: 'ledger',
    severity: 'wrong',
    by: `alter table credit_entry disable trigger credit_entry_changes_balance;
      insert into credit_entry (org_id, request_id, kind, ref, credits) select min(org_id), 'never', 'refund', 'lyr_x', 3 from organisation;
      alter table credit_entry enable trigger credit_entry_changes_balance;
      update account set balance = balance + 3 where org_id = (select min(org_id) from organisation)`,
    says: /^org_\w{12}: request never gave back 3 for lyr_x, which cost nothing\.$/,
    fix: /^-- Entries are never changed\.[\s\S]*\nselect \* from credit_entry where org_id = 'org_\w{12}' and request_id = 'never'/,
    undo: `alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'never';
      alter table credit_entry enable trigger all;
      update account set balance = balance - 3 where org_id = (select min(org_id) from organisation)`,
  },
  {
    what: 'a call that failed and yet paid',
    check: 'ledger',
    severity: 'wrong',
    by: `alter table credit_entry disable trigger credit_entry_changes_balance;
      insert into voided_call (org_id, request_id) select org_id, 'failed' from organisation where name = 'demo';
      insert into credit_entry (org_id, request_id, kind, ref, credits) select org_id, 'failed', 'dataset', 'lyr_x', -3 from organisation where name = 'demo';
      alter table credit_entry enable trigger credit_entry_changes_balance;
      update account set balance = balance - 3 where org_id = (select org_id from organisation where name = 'demo')`,
    says: /^org_\w{12}: request failed failed, and yet paid 3\.$/,
    fix: /^-- Entries are never changed\.[\s\S]*\nselect \* from credit_entry where org_id = 'org_\w{12}' and request_id = 'failed'/,
    undo: `alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'failed';
      alter table credit_entry enable trigger all; delete from voided_call;
      update account set balance = balance + 3 where org_id = (select org_id from organisation where name = 'demo')`,
  },
  {
    what: 'credits that a key added',
    check: 'ledger',
    severity: 'wrong',
    by: `insert into credit_entry (org_id, request_id, kind, key_id, credits) select min(org_id), 'of a key', 'top_up', 'key_x', 3 from organisation`,
    says: /^org_\w{12}: 1 top-ups name a key, and no key adds credits\.$/,
    fix: /^-- Entries are never changed\.[\s\S]*kind = 'top_up' and key_id is not null;$/,
    undo: `alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'of a key';
      alter table credit_entry enable trigger all;
      update account set balance = balance - 3 where org_id = (select min(org_id) from organisation)`,
  },
  {
    what: 'worded answers that cost nothing',
    check: 'ledger',
    severity: 'wrong',
    by: `insert into worded_use (org_id, day, by_credits) select min(org_id), '2020-01-01', 2 from organisation`,
    says: /^org_\w{12}: the allowance counts 2 worded answers by credits, the entries 0\.$/,
    fix: /^-- Entries are never changed\.[\s\S]*select day, by_credits from worded_use/,
    undo: `delete from worded_use where day = '2020-01-01'`,
  },
  {
    what: 'an account of nobody',
    check: 'organisations_missing',
    severity: 'wrong',
    by: `delete from organisation where org_id = 'org_000000000000'; alter table account disable trigger all;
      insert into account values ('org_000000000000', 0); alter table account enable trigger all`,
    says: /^There is no organisation org_000000000000, which is in account\.$/,
  },
  {
    what: 'a place held by a process that is gone',
    check: 'holds_expired',
    severity: 'advice',
    by: `insert into worded_hold (request_id, org_id, day, covered_by, expires_at)
      select 'gone', min(org_id), now()::date - 3, 'allowance', now() - interval '3 days' from organisation`,
    says: /^1 places held for worded answers expired over two days ago\.$/,
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
