/** Mutants of the life of a call to the wording engine. */
import type { Mutant } from './mutant.js'

export const wordingMutants: Mutant[] = [
  {
    breaks: 'a call to the wording engine waits for a Retry-After of an hour',
    file: 'dist/src/insight/wording.js',
    from: 'waitMs <= leftMs / 2',
    to: 'true',
    tests: ['insight/retry'],
  },
  {
    breaks: 'a call to the wording engine is sent again after any status',
    file: 'dist/src/insight/wording-fault.js',
    from: 'RETRIED_STATUSES.includes(status)',
    to: 'true',
    tests: ['insight/retry'],
  },
  {
    breaks: 'every call probes a wording engine that is down',
    file: 'dist/src/insight/breaker.js',
    from: "pass === 'probe' ? { is: 'probing' } : state",
    to: 'state',
    tests: ['insight/breaker'],
  },
  {
    breaks: 'a success does not end the row of failures',
    file: 'dist/src/insight/breaker.js',
    from: "if (sign === 'up')\n        return CLOSED;\n    const",
    to: 'const',
    tests: ['insight/breaker'],
  },
  {
    breaks: 'a client that hung up counts as a failure of the wording engine',
    file: 'dist/src/insight/breaker.js',
    from: 'if (signal.aborted)',
    to: 'if (false)',
    tests: ['insight/outage'],
    grep: 'hangs up',
  },
  {
    breaks: 'an allowance is held while the wording engine is down',
    file: 'dist/src/insight/paid-words.js',
    from: '!wording.isAvailable()',
    to: 'false',
    tests: ['insight/outage'],
    grep: 'no allowance is held',
  },
  {
    breaks: 'the call of a client that hung up goes on',
    file: 'dist/src/insight/narrate.js',
    from: 'abortAfter(deadlineMs, hangUp)',
    to: 'abortAfter(deadlineMs)',
    tests: ['insight/outage'],
    grep: 'hangs up',
  },
]
