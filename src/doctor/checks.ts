/** The checks of the doctor, in the order in which one fault explains the next. */
import { sqlText } from '../db/statement.js'
import { ledgerFaults } from '../db/statements.js'
import type { Check, Known } from './check.js'

const ownIndexes = ({ expected }: Known) => [
  expected.filter(({ kind }) => kind === 'index' || kind === 'unique').map(({ name }) => name),
]

/**
 * A statement of an import without its comments. Its names mean the served tables where nobody sets another
 * search_path.
 */
const served = (name: string) => sqlText(name).replace(/^--.*\n/gm, '')

/** The doctor makes no other check while this one finds something. */
export const FIRST: Check = { name: 'versions', looksAt: 'PostgreSQL 15, PostGIS 3.3, and that there are tables' }

export const CHECKS: readonly Check[] = [
  FIRST,
  { name: 'migrations', looksAt: 'pending and unknown migrations', args: ({ migrations }) => [migrations] },
  { name: 'postgis', looksAt: 'functions and library of PostGIS, GEOS 3.9' },
  {
    name: 'tables_changed',
    looksAt: 'tables that the migrations make, their owner, and columns that may not be null',
    compares: ['table', 'column'],
  },
  { name: 'indexes_missing', looksAt: 'indexes that the migrations make', compares: ['index', 'unique'] },
  { name: 'constraints_missing', looksAt: 'rules and references that the migrations make', compares: ['constraint'] },
  {
    name: 'triggers_missing',
    looksAt:
      'the triggers that keep the ledger and the events append-only, the balances to the entries, and an owner in each organisation',
    compares: ['trigger'],
  },
  { name: 'views_changed', looksAt: 'views that the migrations make', compares: ['view'] },
  {
    name: 'functions_changed',
    looksAt: 'functions, held against copies made from sql/functions/',
    args: ({ functions }) => [functions.map(({ name }) => name), functions.map(({ fix }) => fix)],
    // Their bodies are compared, not run: what they name need not exist.
    copies: ({ functions }) => [sqlText('session/no_body_checks'), ...functions.map(({ copy }) => copy)],
  },
  { name: 'indexes_invalid', looksAt: 'indexes that a broken "concurrently" left behind', args: ownIndexes },
  { name: 'indexes_bloated', looksAt: 'indexes far larger than their rows need' },
  { name: 'indexes_doubled', looksAt: 'your own indexes that another makes needless', args: ownIndexes },
  { name: 'indexes_unused', looksAt: 'your own indexes that nothing reads', args: ownIndexes },
  { name: 'statistics', looksAt: 'tables that were never analysed, or not since most rows changed' },
  { name: 'dead_rows', looksAt: 'tables with many dead rows' },
  { name: 'autovacuum', looksAt: 'tables that autovacuum leaves alone, in any spelling' },
  { name: 'tables_bloated', looksAt: 'tables far larger than their rows need' },
  {
    name: 'vacuum_held_back',
    looksAt: 'open and prepared transactions and replication slots that keep dead rows',
    only: 'server',
  },
  { name: 'visibility', looksAt: 'the visibility map of tables read by index alone' },
  {
    name: 'settings',
    looksAt: 'settings of the server: crash safety, connections, memory, planning',
    only: 'server',
    args: ({ connections }) => [connections.withApp],
  },
  { name: 'statement_statistics', looksAt: 'whether there is pg_stat_statements', only: 'server' },
  { name: 'read_only', looksAt: 'whether the server takes writes', only: 'server' },
  { name: 'unlogged', looksAt: 'tables and sequences that a crash empties' },
  { name: 'row_security', looksAt: 'tables whose rows a policy may hide' },
  { name: 'sequences', looksAt: 'sequences that fell behind their tables' },
  { name: 'collations', looksAt: 'collations that the operating system has changed', only: 'server' },
  { name: 'sessions', looksAt: 'plan_cache_mode and jit as the service has them', only: 'server' },
  { name: 'strangers', looksAt: 'whether anyone may connect to the database', only: 'server' },
  {
    name: 'service_role',
    looksAt: 'whether frames_service can log in, what it is and owns, and how its sessions are set',
    only: 'server',
    args: ({ connections }) => [connections.asService],
  },
  { name: 'service_grants', looksAt: 'what frames_service may do, held against service_may()', only: 'server' },
  {
    name: 'console_grants',
    looksAt: 'what frames_console may do, held against console_may(), and whether it can log in',
    only: 'server',
  },
  { name: 'console_role', looksAt: 'how the sessions of frames_console are set, and what else it is', only: 'server' },
  { name: 'analyst_grants', looksAt: 'what frames_analyst may read beyond schema analyst', only: 'server' },
  { name: 'public_schema', looksAt: 'whether anyone may make objects in schema public' },
  { name: 'generation_missing', looksAt: 'the one row of index_generation' },
  { name: 'srid', looksAt: 'coordinates in WGS 84', readsAll: true },
  { name: 'frames_invalid', looksAt: 'frames that are not valid, empty, or clockwise', readsAll: true },
  { name: 'stored_text', looksAt: 'GeoJSON, boxes and areas as stored, held against the shapes', readsAll: true },
  {
    name: 'frames_overlap',
    looksAt: 'frames that share land',
    samples: 'frame',
    args: ({ percent }) => [percent.frame],
  },
  { name: 'frames_off_grid', looksAt: 'frames outside the square that their id names', readsAll: true },
  { name: 'frames_missing', looksAt: 'holes in the grid', readsAll: true },
  { name: 'frames_without_unit', looksAt: 'frames in no state, or in no ward where there are wards', readsAll: true },
  { name: 'names_unfolded', looksAt: 'unit names that no call can match, held against `fold_name`', readsAll: true },
  {
    name: 'units_counted',
    looksAt: 'the units and their counts, held against the frames',
    readsAll: true,
    args: () => ['unit_count', 'state', 'lga', 'ward'].map((step) => served(`staging/${step}`)),
  },
  {
    name: 'unit_areas',
    looksAt: 'the land of each unit, held against that of its frames',
    readsAll: true,
    args: () => [served('staging/ward_land'), served('staging/unit_area')],
  },
  {
    name: 'unit_frames',
    looksAt: 'the units of totals, their counts and the units of each frame, held against the frames',
    readsAll: true,
  },
  {
    name: 'frame_runs',
    looksAt: 'the runs that large boxes are answered from',
    readsAll: true,
    args: () => [served('staging/run')],
  },
  { name: 'frames_scattered', looksAt: 'whether neighbours still lie side by side in the table', readsAll: true },
  {
    name: 'features_joined',
    looksAt: 'features and the frames they intersect',
    samples: 'feature',
    args: ({ percent }) => [percent.feature, served('import/features_join')],
  },
  { name: 'dataset_items', looksAt: 'rows and features of each dataset, held against its count', readsAll: true },
  {
    name: 'classes_kept',
    looksAt: 'values of categories, held against the classes that their import kept',
    samples: 'frame',
    args: ({ percent }) => [percent.frame],
  },
  { name: 'totals_missing', looksAt: 'datasets without totals over units' },
  {
    name: 'baseline_totals',
    looksAt: 'totals of baselines, held against the sum of their frames',
    samples: 'total',
    args: ({ percent }) => [percent.total],
  },
  {
    name: 'feature_totals',
    looksAt: 'features counted and measured in units, held against their frames',
    samples: 'total',
    args: ({ percent }) => [percent.total],
  },
  { name: 'versions_left', looksAt: 'rows of datasets that were replaced' },
  {
    name: 'analyst_views',
    looksAt: 'the views of schema analyst, their attributes, and who may read them',
    only: 'quiet',
  },
  { name: 'staging_left', looksAt: 'what a build or an import that died left behind', only: 'quiet' },
  {
    name: 'ledger',
    looksAt:
      'accounts, held against their entries; refunds, against charges; calls that failed, against what they paid (sql/ledger_faults.sql)',
    text: ledgerFaults.text,
    toRow: ({ orgId, fault, fix }) => ({ severity: 'wrong', what: `${orgId}: ${fault}.`, fix }),
  },
  { name: 'organisations_missing', looksAt: 'accounts, keys, entries and datasets of no organisation' },
  { name: 'holds_expired', looksAt: 'places held for worded answers that expired long ago' },
  {
    name: 'events_missing',
    looksAt: 'keys, revocations and memberships, held against their events',
  },
  { name: 'people_missing', looksAt: 'memberships, sessions, links and passkeys of nobody' },
  { name: 'owners_missing', looksAt: 'organisations whose members have no owner' },
  { name: 'sign_ins_ended', looksAt: 'sessions and links that ended long ago' },
  { name: 'key_use_days', looksAt: 'uses of keys on days on which they could not be used' },
]
