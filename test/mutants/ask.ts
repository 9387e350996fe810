/** `npm run test:mutants` tries these mutants of the pages that show SQL and answer questions, too, with LONG=1. */
import type { Mutant } from './mutant.js'

export const askMutants: Mutant[] = [
  {
    breaks: 'the page of SQL runs any path of the service',
    file: 'dist/src/web/api-call.js',
    from: '!calls.some((each)',
    to: 'false && !calls.some((each)',
    tests: ['web/sql'],
    grep: 'calls of the API alone',
  },
  {
    breaks: 'an address runs any statement of sql/',
    file: 'dist/src/web/show-sql.js',
    from: '!timingSafeEqual(came, expected)',
    to: 'false',
    tests: ['web/sql'],
    grep: 'no other statement',
  },
  {
    breaks: 'a statement of a panel runs for every session of the organisation',
    file: 'dist/src/web/show-sql.js',
    from: "createHmac('sha256', tokenHash)",
    to: "createHmac('sha256', orgId)",
    tests: ['web/sql'],
    grep: 'no other statement',
  },
  {
    breaks: 'a line of curl ends its own quotes',
    file: 'dist/src/web/api-call.js',
    from: "text.replaceAll(\"'\", `'\\\\''`)",
    to: 'text',
    tests: ['web/sql'],
    grep: 'line for curl',
  },
  {
    breaks: 'a statement that was stopped stays prepared',
    file: 'dist/src/inspect/explanation.js',
    from: 'await run(`deallocate ${name}`, [])',
    to: '',
    tests: ['web/statement-limit'],
  },
]
