/** Mutants of calls that start before their checks end: `npm run test:mutants` tries them with LONG=1. */
import type { Mutant } from './mutant.js'

export const earlyMutants: Mutant[] = [
  {
    breaks: 'a revoked key goes on spending from its organisation',
    file: 'dist/src/http/authenticate.js',
    from: 'req.early?.forget()',
    to: 'undefined',
    tests: ['limits/early'],
    grep: 'was revoked',
  },
  {
    breaks: 'a key whose bucket is spent goes on reading',
    file: 'dist/src/http/early.js',
    from: 'passes || forget()',
    to: 'passes',
    tests: ['limits/early'],
    grep: 'bucket is spent',
  },
  {
    breaks: 'a call that started early spends twice',
    file: 'dist/src/http/meter.js',
    from: 'req.early?.spending ?? ',
    to: '',
    tests: ['limits/early'],
    grep: 'spends once, and',
  },
  {
    breaks: 'a call that started early reads twice',
    file: 'dist/src/routes/frames-at.js',
    from: 'req.early?.answer ?? findFrame(req)',
    to: 'findFrame(req)',
    tests: ['limits/early'],
    grep: 'reads the point once',
  },
]
