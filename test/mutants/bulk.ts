/** `npm run test:mutants` tries these mutants of points, of locate and of exports with values, with LONG=1. */
import type { Mutant } from './mutant.js'

export const bulkMutants: Mutant[] = [
  {
    breaks: 'a dataset with a price is read from the database for nothing',
    file: 'dist/src/export/readable.js',
    from: 'price !== null',
    to: 'false',
    tests: ['export/values'],
  },
  {
    breaks: 'an export goes on without the values that credits do not cover',
    file: 'dist/src/export/values.js',
    from: 'refuseLeftOut(leftOut);',
    to: '',
    tests: ['export/values'],
  },
  {
    breaks: 'charged calls are counted once',
    file: 'dist/src/export/values.js',
    from: '(charges[layerId] ?? 0) + 1',
    to: '1',
    tests: ['export/values'],
  },
  {
    breaks: 'a number that a double does not hold becomes another one',
    file: 'dist/src/export/columns.js',
    from: 'digits.length <= 15',
    to: 'digits.length <= 40',
    tests: ['export/columns'],
  },
  {
    breaks: 'a resumed run keeps what a crash wrote after the notes',
    file: 'dist/src/locate/locate.js',
    from: 'cutPartFiles(parts, before.progress);',
    to: '{}',
    tests: ['locate/interrupted'],
  },
  {
    breaks: 'a resumed run writes a row again',
    file: 'dist/src/locate/locate.js',
    from: 'place <= done',
    to: 'place < done',
    tests: ['locate/interrupted'],
  },
  {
    breaks: 'frame_at gives the highest id of a shared edge',
    file: 'sql/functions/frame_at.sql',
    from: 'min(frame_id)',
    to: 'max(frame_id)',
    tests: ['sql/point-functions'],
  },
]
