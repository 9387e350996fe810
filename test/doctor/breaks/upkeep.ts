/** Breaks of statistics, of sequences, and of what is being served. */
import { breaksOf } from './break.js'

export const upkeepBreaks = breaksOf({
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
})
