/** Breaks that slow a database down, or let it lose rows. */
import type { Break } from './break.js'

/** Reads an index as often as a busy day does. */
const visits = (index: string, column: string, times: number) =>
  `set enable_seqscan = off; set enable_bitmapscan = off;
  select count(*) from generate_series(1, ${times}) as n cross join lateral (select ${column} from ${index} where ${column} = n offset 0) as hit;
  reset enable_seqscan; reset enable_bitmapscan; select pg_stat_force_next_flush()`

export const upkeepBreaks: Break[] = [
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
    what: 'a visibility map that is not made',
    check: 'visibility',
    severity: 'advice',
    by: 'update baseline_row set version = version; select pg_stat_force_next_flush(); analyze baseline_row',
    says: /^baseline_row: \d+ of \d+ pages are in the visibility map\.$/,
  },
]
