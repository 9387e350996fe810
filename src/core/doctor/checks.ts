/** The checks of the doctor, in the order in which one fault explains the next. */
import { OBJECTS } from '../db/index.js'
import { ledgerFaults } from '../db/statements.js'
import type { Check } from './check.js'
import {
  arraysKept,
  baselineTotals,
  featuresJoined,
  featureTotals,
  frameRuns,
  intervalsKept,
  unitFrames,
  unitsCounted,
} from './derived.js'

/** The doctor makes no other check while this one finds something. */
export const FIRST: Check = { name: 'versions', looksAt: 'PostgreSQL 15, PostGIS 3.3, and that there are tables' }

export const CHECKS: readonly Check[] = [
  FIRST,
  { name: 'migrations', looksAt: 'pending and unknown migrations', args: ({ migrations }) => [migrations] },
  { name: 'postgis', looksAt: 'functions and library of PostGIS, GEOS 3.9' },
  {
    name: 'settings',
    looksAt: 'settings of the server: crash safety, writes, connections, search path, use of indexes',
    only: 'server',
    readsPath: true,
    args: ({ connections }) => [connections.withApp],
  },
  {
    name: 'schema',
    text: OBJECTS,
    looksAt:
      'tables, columns, indexes, rules, triggers, views, functions, owners and rights: what is missing, what differs, and what should not be there',
  },
  { name: 'statistics', looksAt: 'tables that were never analysed, or not since most rows changed' },
  { name: 'read_only', looksAt: 'whether the server takes writes', only: 'server' },
  { name: 'sequences', looksAt: 'sequences that fell behind their tables' },
  { name: 'sessions', looksAt: 'plan_cache_mode and jit as the service has them', only: 'server' },
  {
    name: 'strangers',
    looksAt: 'what everyone may do in the database: connect, make large objects, hold locks',
    only: 'server',
  },
  {
    name: 'roles',
    looksAt: 'whether the roles of the program can log in, what else they are, and how their sessions are set',
    only: 'server',
    args: ({ connections: { asService, withApp } }) => [asService, withApp - asService],
  },
  { name: 'generation_missing', looksAt: 'the one row of index_generation' },
  { name: 'frames_invalid', looksAt: 'frames that are not valid, empty, or clockwise', readsAll: true },
  { name: 'stored_text', looksAt: 'GeoJSON, boxes and areas as stored, held against the shapes', readsAll: true },
  { name: 'frames_overlap', looksAt: 'frames that share land', samples: 'frame' },
  { name: 'frames_off_grid', looksAt: 'frames outside the square that their id names', readsAll: true },
  { name: 'frames_missing', looksAt: 'holes in the grid', readsAll: true },
  { name: 'frames_without_unit', looksAt: 'frames in no state, or in no ward where there are wards', readsAll: true },
  { name: 'names_unfolded', looksAt: 'unit names that no call can match, held against `fold_name`', readsAll: true },
  {
    ...unitsCounted,
    looksAt: 'the units and their counts, held against the frames',
    readsAll: true,
  },
  {
    name: 'unit_areas',
    looksAt: 'the land of each unit, held against that of its frames',
    readsAll: true,
  },
  {
    ...unitFrames,
    looksAt: 'the units of totals, their counts and the units of each frame, held against the frames',
    readsAll: true,
  },
  { ...frameRuns, looksAt: 'the runs that large boxes are answered from', readsAll: true },
  { name: 'frames_scattered', looksAt: 'whether neighbours still lie side by side in the table', readsAll: true },
  {
    ...featuresJoined,
    looksAt: 'features and the frames they intersect',
    samples: 'feature',
    args: ({ seed }) => [seed],
  },
  {
    name: 'distances_kept',
    looksAt: 'distances of frames to features, held against the features',
    samples: 'frame',
  },
  { name: 'dataset_items', looksAt: 'rows and features of each dataset, held against its count', readsAll: true },
  {
    name: 'classes_kept',
    looksAt: 'values of categories, held against the classes that their import kept',
    samples: 'frame',
  },
  {
    ...arraysKept,
    looksAt: 'arrays of values, held against the rows of their datasets',
    samples: 'total',
    args: ({ seed }) => [seed],
  },
  { name: 'totals_missing', looksAt: 'datasets without totals over units' },
  {
    name: 'totals_add_up',
    looksAt: 'totals of each unit, held against those of its parts, and the spread of totals',
    readsAll: true,
  },
  {
    ...baselineTotals,
    looksAt: 'totals of baselines, held against the sum of their frames',
    samples: 'total',
    args: ({ seed, largestUnit }) => [seed, largestUnit],
  },
  {
    ...intervalsKept,
    looksAt: 'draws of units, held against the sum of those of their frames',
    samples: 'total',
    args: ({ seed }) => [seed, 0],
  },
  {
    ...featureTotals,
    looksAt: 'features counted and measured in units, held against their frames',
    samples: 'total',
    args: ({ seed, largestUnit }) => [seed, largestUnit],
  },
  { name: 'versions_left', looksAt: 'rows of datasets that were replaced' },
  {
    name: 'analyst_views',
    looksAt: 'the views of schema analyst, their attributes, and who may read them',
    only: 'quiet',
  },
  { name: 'staging_left', looksAt: 'what a build or an import that died left behind', only: 'quiet' },
  { name: 'entries_missing', looksAt: 'top-ups, held against their events' },
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
  { name: 'keys_undone', looksAt: 'keys that are accepted or unknown, held against the events that say otherwise' },
  { name: 'people_missing', looksAt: 'memberships, sessions, links and passkeys of nobody' },
  { name: 'owners_missing', looksAt: 'organisations whose members have no owner' },
  { name: 'sign_ins_ended', looksAt: 'sessions and links that ended long ago' },
  { name: 'key_use_days', looksAt: 'uses of keys on days on which they could not be used' },
]
