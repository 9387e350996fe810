/** Mutants of the links to Redis: `npm run test:mutants` tries them with LONG=1. */
import type { Mutant } from './mutant.js'

export const redisMutants: Mutant[] = [
  {
    breaks: 'a cluster is asked for a slot that it is about to hold as if it held it',
    file: 'dist/src/limits/redis-cluster.js',
    from: "how = to.kind === 'ASK' ? 'sendAsking' : 'send'",
    to: "how = 'send'",
    tests: ['limits/redis-cluster'],
    grep: 'halfway between two servers',
  },
  {
    breaks: 'a slot of a cluster that has moved is not looked for where it is',
    file: 'dist/src/limits/redis-cluster.js',
    from: "if (to.kind === 'MOVED')",
    to: 'if (false)',
    tests: ['limits/redis-cluster'],
    grep: 'whose slots move under load',
  },
  {
    breaks: 'calls of several organisations share a run of the script in a cluster',
    file: 'dist/src/limits/limiter.js',
    from: 'isCluster ? bucketsInCluster(send) : bucketsInRedis(send)',
    to: 'bucketsInRedis(send)',
    tests: ['limits/redis-cluster'],
    grep: 'keeps each burst exact',
  },
  {
    breaks: 'the primary is looked up once, and not again after a failover',
    file: 'dist/src/limits/redis.js',
    from: 'const findUrl = async () => ',
    to: 'let found; const findUrl = async () => found ??= ',
    tests: ['limits/redis-sentinel'],
    grep: 'is killed under load',
  },
]
