/** `npm run test:mutants` tries these mutants of the counts of calls, and of the pages that show them, with LONG=1. */
import type { Mutant } from './mutant.js'

export const useMutants: Mutant[] = [
  {
    breaks: 'a count replaces the one before',
    file: 'dist/src/access/key-use-writer.js',
    from: 'key_use.calls + excluded.calls',
    to: 'excluded.calls',
    tests: ['access/key-use-writes'],
  },
  {
    breaks: 'a retry adds counts that were added already',
    file: 'dist/src/access/key-use-writer.js',
    from: 'if (!part.isCounted)',
    to: 'if (true)',
    tests: ['access/key-use-writes'],
  },
  {
    breaks: 'counts of deleted keys are added',
    file: 'dist/src/access/key-use-writer.js',
    from: 'join api_key using (key_id)\n        order by key_id, day',
    to: 'order by key_id, day',
    tests: ['access/key-use-writes'],
  },
  {
    breaks: 'counts are not bounded',
    file: 'dist/src/access/key-use.js',
    from: 'waiting() >= rowsMax',
    to: 'false',
    tests: ['access/key-use-writes'],
  },
  {
    breaks: 'a refusal does not say which bucket was spent',
    file: 'dist/src/http/meter.js',
    from: 'req.spentBucket = verdict.name;',
    to: '',
    tests: ['access/key-use'],
  },
  {
    breaks: 'a worded answer counts as any other',
    file: 'dist/src/http/insight-call.js',
    from: "req.outcome = 'worded';",
    to: ';',
    tests: ['access/key-use'],
  },
  {
    breaks: 'a spreadsheet runs the name of a key as a formula',
    file: 'dist/src/web/csv.js',
    from: 'FORMULA.test(value) ?',
    to: 'false ?',
    tests: ['web/csv', 'web/usage'],
  },
  {
    breaks: 'the usage page shows the key of another organisation',
    file: 'sql/web/use_by_key.sql',
    from: 'where api_key.org_id = $1::text',
    to: "where $1::text <> ''",
    tests: ['web/usage'],
  },
  {
    breaks: 'the balance beside an entry leaves the newest one out',
    file: 'sql/web/credit_entries.sql',
    from: 'credit_entry.entry_id > (select',
    to: 'credit_entry.entry_id >= (select',
    tests: ['web/credits'],
  },
]
