/** Mutants of the buckets in the process and in Redis, of their headers, and of what spends from them. */
import type { Mutant } from './mutant.js'

const ADDRESSES = 'src/core/limits/address-buckets.ts'
const BUCKETS = 'src/core/limits/buckets.ts'
/** It holds the script in Lua. */
const SCRIPT = 'src/core/limits/buckets.lua'
const ADMIT = 'src/api/http/admit.ts'

export const limitMutants: Mutant[] = [
  {
    breaks: 'a refused call spends from the buckets that have room (in the process)',
    file: BUCKETS,
    from: 'fullAt: states.map(({ kept }) => kept)',
    to: 'fullAt: states.map(({ kept, after, left }) => (left < 0 ? kept : after))',
    tests: ['limits/metering'],
    grep: 'in the process spends nothing for a refused call',
  },
  {
    breaks: 'a refused call spends from the buckets that have room (in Redis)',
    file: SCRIPT,
    from: 'if lefts[longest] >= 0 then',
    to: 'if lefts[longest] < 0 then for i = 1, buckets do if lefts[i] >= 0 then keep(KEYS[first + i], afters[i]) end end else',
    tests: ['limits/metering-redis'],
    grep: 'in Redis spends nothing for a refused call',
  },
  {
    breaks: 'calls that are decided together do not see what those before them spent',
    file: SCRIPT,
    from: 'kept[key] = kept[key] or stored(key) or now',
    to: 'kept[key] = stored(key) or now',
    tests: ['limits/metering-redis'],
    grep: 'in Redis lets exactly 60',
  },
  {
    breaks: 'one key of another type unmeters the calls that are decided with it',
    file: SCRIPT,
    from: "redis.pcall('GET', key)",
    to: "redis.call('GET', key)",
    tests: ['limits/redis-faults'],
    grep: 'something else at the key',
  },
  {
    breaks: 'a store that is away refuses calls',
    file: 'src/core/limits/limiter.ts',
    from: 'passOnStoreError: true',
    to: 'passOnStoreError: false',
    tests: ['limits/redis-faults'],
    grep: 'is down at start',
  },
  {
    breaks: 'each key has a bucket of its organisation to itself',
    file: BUCKETS,
    from: '`{${orgId}}:organisation`',
    to: '`{${orgId}}:organisation:${keyId}`',
    tests: ['limits/metering'],
    grep: 'in the process shares an organisation',
  },
  {
    breaks: 'a clock that is set back locks everybody out',
    file: BUCKETS,
    from: 'Math.min(stored, now + capacity)',
    to: 'stored',
    tests: ['limits/buckets'],
    grep: 'clock is set back',
  },
  {
    breaks: 'keys are looked up though the bucket of the address is spent',
    file: ADDRESSES,
    from: 'if (verdict?.passes === false)',
    to: 'if (verdict && verdict.waitMicros < 0)',
    tests: ['limits/address'],
    grep: 'without a query',
  },
  {
    breaks: 'a client that guesses keys locks out those who share its address',
    file: ADDRESSES,
    from: 'goodKeys.has(keyHash) ? undefined : addressOf()',
    to: 'addressOf()',
    tests: ['limits/address'],
    grep: 'costs a good key nothing',
  },
  {
    breaks: 'a caller chooses the address that it is metered by',
    file: 'src/core/client-address.ts',
    from: 'at(-proxies)',
    to: 'at(proxies - 1)',
    tests: ['limits/address'],
    grep: 'trusted proxies wrote',
  },
  {
    breaks: 'questions spend from the reading buckets alone',
    file: ADMIT,
    from: "capability === 'ask.query' &&",
    to: 'false &&',
    tests: ['insight/buckets'],
    grep: 'third bucket',
  },
  {
    breaks: 'a key that may not ask spends from the questions of its organisation',
    file: ADMIT,
    from: "capability === 'ask.query' && caller.capabilities.includes('ask.query')",
    to: "capability === 'ask.query'",
    tests: ['insight/buckets'],
    grep: 'lock no colleague out',
  },
  {
    breaks: 'Redis deletes a bucket before it is full',
    file: SCRIPT,
    from: '(kept[key] - now) / 1000',
    to: '(kept[key] - now) / 2000',
    tests: ['limits/metering-redis'],
    grep: 'keeps each bucket until it is full',
  },
]
