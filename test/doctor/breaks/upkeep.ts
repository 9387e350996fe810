/** Breaks that slow a database down, or let it lose rows. */
import { breaksOf } from './break.js'

/** Reads an index as often as a busy day does. */
const visits = (index: string, column: string, times: number) =>
  `set enable_seqscan = off; set enable_bitmapscan = off;
  select count(*) from generate_series(1, ${times}) as n cross join lateral (select ${column} from ${index} where ${column} = n offset 0) as hit;
  reset enable_seqscan; reset enable_bitmapscan; select pg_stat_force_next_flush()`

export const upkeepBreaks = breaksOf({
  indexes_bloated: [
    [
      'an index that has far more pages than rows',
      `insert into feature_frame select 900000, n, n from generate_series(1, 150000) as n;
      delete from feature_frame where version = 900000; select pg_stat_force_next_flush(); vacuum feature_frame`,
      /^Index feature_frame_pkey has \d+ (k|M)B, its \d+ rows need about \d+ (k|M)B\.$/,
      { severity: 'advice', isAlone: true },
    ],
  ],
  indexes_doubled: [
    [
      'an index that another makes needless',
      'create index frame_by_state on frame (state)',
      /^Index frame_by_state \(\d+ kB\) does nothing that frame_state_\w+ does not\.$/,
      { severity: 'advice' },
    ],
  ],
  indexes_unused: [
    [
      'an index that nothing reads',
      `create index frame_by_zone on frame (zone); ${visits('frame', 'frame_id', 100_001)}`,
      /^Index frame_by_zone \(\d+ kB\) was never read, while frame was read \d{6,} times by others\.$/,
      { severity: 'advice', isAlone: true },
    ],
  ],
  statistics: [
    [
      'statistics that are not there',
      "delete from pg_statistic where starelid = 'frame'::regclass",
      /^There are no statistics of frame: /,
    ],
    [
      'statistics that are stale',
      `${'update feature set feature_id = feature_id; '.repeat(8)}select pg_stat_force_next_flush()`,
      /^Statistics of feature are stale: \d+ rows were changed since, it has about \d+\.$/,
      { severity: 'advice' },
    ],
  ],
  dead_rows: [
    [
      'many dead rows',
      `insert into feature_frame select 900001, n, n from generate_series(1, 30000) as n; delete from feature_frame where version = 900001;
      select pg_stat_force_next_flush()`,
      /^feature_frame has \d+ dead rows to \d+ living ones\.$/,
      { severity: 'advice' },
    ],
  ],
  autovacuum: [
    [
      'a table that autovacuum is kept from',
      'alter table account set (autovacuum_enabled = false)',
      /^Autovacuum is told to leave account alone\.$/,
    ],
    [
      'a table that autovacuum is kept from, in another spelling',
      "alter table frame set (autovacuum_enabled = 'fal')",
      /^Autovacuum is told to leave frame alone\.$/,
    ],
    [
      'long values that autovacuum is kept from',
      "alter table feature set (toast.autovacuum_enabled = 'off')",
      /^Autovacuum is told to leave feature alone \(its long values\)\.$/,
    ],
    [
      'a table that autovacuum never comes to',
      'alter table credit_entry set (autovacuum_vacuum_threshold = 2000000000)',
      /^Autovacuum waits for 2000000000 rows of credit_entry\.$/,
    ],
    [
      'a table whose pages stay empty',
      'alter table voided_call set (fillfactor = 10)',
      /^Pages of voided_call are filled to 10 per cent only/,
    ],
  ],
  tables_bloated: [
    // The rows that stay are behind those that go: a vacuum alone cannot shorten the table.
    [
      'a table that has far more pages than rows',
      `insert into feature_frame select 900005, n, n from generate_series(1, 200000) as n; update feature_frame set version = version where version <> 900005;
      delete from feature_frame where version = 900005; select pg_stat_force_next_flush(); vacuum (analyze) feature_frame`,
      /^Table feature_frame has \d+ (k|M)B, its \d+ rows need about \d+ (k|M)B\.$/,
      { severity: 'advice', isAlone: true },
    ],
  ],
  unlogged: [
    [
      'tables that a crash empties',
      'alter table worded_hold set unlogged; alter table credit_entry set unlogged; alter table account set unlogged',
      /^Table account is unlogged: a crash empties it, and no replica has it\.$/,
    ],
    [
      'a sequence that a crash sets back',
      'alter sequence dataset_version set unlogged',
      /^Sequence dataset_version is unlogged/,
    ],
  ],
  generation_missing: [
    [
      'a generation that is not known',
      'create table kept as table index_generation; delete from index_generation',
      /^index_generation has no row: which index is being served is not known\.$/,
      {
        fix: /^insert into index_generation \(generation, /,
        undo: 'insert into index_generation table kept; drop table kept',
      },
    ],
  ],
  sequences: [
    [
      'a sequence that would give out a version again',
      "select setval('dataset_version', 2)",
      /^Sequence dataset_version is at 2, there is a row of \d+ already\.$/,
    ],
    [
      'a sequence that rows of no dataset are ahead of',
      'insert into feature_frame values (900006, 1, 1)',
      /^Sequence dataset_version is at \d+, there is a row of 900006 already\.$/,
      {
        fix: /^select setval\('dataset_version', 900006\);$/,
        undo: 'delete from feature_frame where version = 900006',
      },
    ],
    [
      'a sequence of entries that starts again',
      "select setval('credit_entry_entry_id_seq', 1, false)",
      /^Sequence credit_entry_entry_id_seq is at its start, there is a row of \d+ already\.$/,
    ],
  ],
  visibility: [
    [
      'a visibility map that is not made',
      `insert into feature_frame select 900007, n, n from generate_series(1, 180000) as n; delete from feature_frame where version = 900007;
      select pg_stat_force_next_flush(); analyze feature_frame`,
      /^feature_frame: \d+ of \d+ pages are in the visibility map\.$/,
      { severity: 'advice', isAlone: true },
    ],
  ],
})
