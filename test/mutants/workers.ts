/** Mutants of the workers of a service: `npm run test:mutants` tries them with LONG=1. */
import type { Mutant } from './mutant.js'

export const workerMutants: Mutant[] = [
  {
    breaks: 'the counts of a worker are lost with it',
    file: 'dist/src/cli/serve-workers.js',
    from: 'totals.keep(metrics)',
    to: 'void metrics',
    tests: ['server/workers'],
    grep: 'replaces all workers at SIGHUP',
  },
  {
    breaks: 'an old worker is told to stop before the next one serves',
    file: 'dist/src/server/workers/pool.js',
    from: 'context.leaving = old;',
    to: 'context.leaving = old; await endOf(context, old);',
    tests: ['server/workers'],
    grep: 'stays with its workers',
  },
  {
    breaks: 'a worker that dies while it is being replaced gets two successors',
    file: 'dist/src/server/workers/pool.js',
    from: 'member !== context.leaving',
    to: 'true',
    tests: ['server/workers'],
    grep: 'needs no second successor',
  },
  {
    breaks: 'a worker that dies again and again is replaced at once',
    file: 'dist/src/server/workers/pool.js',
    from: 'Math.min(2 * pauseMs, LONGEST_PAUSE_MS)',
    to: 'pauseMs',
    tests: ['server/workers'],
    grep: 'replaces a worker that is killed',
  },
  {
    breaks: 'a signal that reaches the workers too counts as a second one',
    file: 'dist/src/server/workers/worker.js',
    from: "if (kind === 'cut')",
    to: "if (kind === 'cut' || kind === 'stop')",
    tests: ['server/workers'],
    grep: 'answers what is open',
  },
  {
    breaks: 'a worker that is starting outlives its primary process',
    file: 'dist/src/cli/serve-worker.js',
    from: 'const services = await openChecked(',
    to: 'outliveThePrimary(); const services = await openChecked(',
    tests: ['server/workers-left'],
    grep: 'was starting',
  },
  {
    breaks: 'a connection is lost that a worker did not take before it was killed',
    file: 'dist/src/server/workers/member.js',
    from: 'passOnLostConnections(worker);',
    to: '',
    tests: ['server/workers-left'],
    grep: 'did not take',
  },
]
