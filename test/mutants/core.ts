/**
 * `npm run test:mutants` tries these mutants: of money, metering, access and the number check, and one each of rows,
 * pages and tags.
 */
import type { Mutant } from './mutant.js'

export const coreMutants: Mutant[] = [
  {
    breaks: 'the account is not locked',
    file: 'dist/src/credits/account.js',
    from: '.forNoKeyUpdate()',
    to: '',
    tests: ['credits/step-orders'],
    grep: 'two charges on credits for one',
  },
  {
    breaks: 'the ledger takes an entry twice',
    file: 'migrations/004_credits.sql',
    from: 'constraint credit_entry_once unique (org_id, request_id, kind, ref)',
    to: 'constraint credit_entry_once unique (org_id, request_id, kind, ref, entry_id)',
    tests: ['credits/ledger'],
    grep: 'tops up once|refunds the charges',
  },
  {
    breaks: 'a request that was charged is charged again',
    file: 'dist/src/credits/ledger.js',
    from: 'if (earlier.length > 0)',
    to: 'if (false)',
    tests: ['credits/ledger'],
    grep: 'charges a request once|keeps to what was decided',
  },
  {
    breaks: 'datasets are charged for before it is known whether they contribute',
    file: 'dist/src/routes/frames-data.js',
    from: 'datasetsWithRecords(frames, datasets)',
    to: 'datasets',
    tests: ['routes/data-charges'],
    grep: 'not where it records nothing',
  },
  {
    breaks: 'a charge that commits after its call failed is not refused',
    file: 'sql/functions/change_balance.sql',
    from: "where added.kind = 'dataset' limit 1",
    to: 'where false limit 1',
    tests: ['credits/step-orders'],
    grep: 'the decision that its call failed',
  },
  {
    breaks: 'what a failed call was charged is not given back',
    file: 'dist/src/credits/ledger.js',
    from: 'if (charges.length === 0)',
    to: 'if (true)',
    tests: ['credits/late-commits'],
    grep: 'commit itself took longer',
  },
  {
    breaks: 'a refund may be larger than its charge',
    file: 'sql/functions/change_balance.sql',
    from: 'and charge.credits = -added.credits',
    to: '',
    tests: ['credits/service-rights'],
    grep: 'larger than its charge',
  },
  {
    breaks: 'own datasets are charged for',
    file: 'sql/datasets_in_reach.sql',
    from: 'case when dataset.org_id = $1::text then null else granted.price end',
    to: 'coalesce(granted.price, 1)',
    tests: ['routes/data'],
    grep: 'shows each organisation what it owns',
  },
  {
    breaks: 'answers under way hold no place',
    file: 'dist/src/credits/allowance.js',
    from: 'used.thisMonth + held.length - byCredits <',
    to: 'used.thisMonth <',
    tests: ['insight/allowance'],
    grep: 'hold their places|parallel questions',
  },
  {
    breaks: 'a refused call spends from the buckets that have room (in the process)',
    file: 'dist/src/limits/buckets.js',
    from: 'fullAt: states.map(({ kept }) => kept)',
    to: 'fullAt: states.map(({ kept, after, left }) => (left < 0 ? kept : after))',
    tests: ['limits/metering'],
    grep: 'metering in the process spends',
  },
  {
    breaks: 'a refused call spends from the buckets that have room (in Redis)',
    file: 'dist/src/limits/in-redis.js',
    from: 'if lefts[longest] >= 0 then',
    to: 'if lefts[longest] < 0 then for i = 1, buckets do if lefts[i] >= 0 then keep(KEYS[first + i], afters[i]) end end else',
    tests: ['limits/metering'],
    grep: 'metering in Redis spends',
  },
  {
    breaks: 'calls that are decided together do not see what those before them spent',
    file: 'dist/src/limits/in-redis.js',
    from: 'kept[key] = kept[key] or stored(key) or now',
    to: 'kept[key] = stored(key) or now',
    tests: ['limits/metering'],
    grep: 'metering in Redis lets exactly 60',
  },
  {
    breaks: 'buckets fill at once every twelve seconds instead of continuously (in Redis)',
    file: 'dist/src/limits/in-redis.js',
    from: 'local now = time[1] * 1000000 + time[2]',
    to: 'local now = math.floor((time[1] * 1000000 + time[2]) / 12000000) * 12000000',
    tests: ['limits/metering'],
    grep: 'metering in Redis (refills|says in Retry-After)',
  },
  {
    breaks: 'each key has a bucket of its organisation to itself',
    file: 'dist/src/limits/buckets.js',
    from: '`{${orgId}}:organisation`',
    to: '`{${orgId}}:organisation:${keyId}`',
    tests: ['limits/metering'],
    grep: 'metering in the process shares',
  },
  {
    breaks: 'authority is remembered for a second',
    file: 'dist/src/access/authority.js',
    from: 'export const authorityFinder = (db) => batch(',
    to: `const remembered = (ask) => {
      const find = batch(ask)
      const known = new Map()
      return (keyHash) => {
        if (!known.has(keyHash)) {
          known.set(keyHash, find(keyHash))
          setTimeout(() => known.delete(keyHash), 1000)
        }
        return known.get(keyHash)
      }
    }
    export const authorityFinder = (db) => remembered(`,
    tests: ['access/changes'],
  },
  {
    breaks: 'revoked keys are let in',
    file: 'sql/key_authority.sql',
    from: 'api_key.revoked_at is null or api_key.revoked_at > clock_timestamp()',
    to: 'true',
    tests: ['access/matrix', 'access/changes'],
    grep: 'revoked|revocation',
  },
  {
    breaks: 'capabilities are not looked at',
    file: 'dist/src/http/require.js',
    from: 'if (!caller?.capabilities.includes(capability))',
    to: 'if (!caller)',
    tests: ['access/matrix'],
    grep: 'ask.query alone',
  },
  {
    breaks: 'a narrowed key sees all datasets',
    file: 'sql/datasets_in_reach.sql',
    from: '$2::text[] is null or dataset.layer_id = any($2::text[])',
    to: '$2::text[] is null or true',
    tests: ['routes/data', 'datasets/fixture'],
    grep: 'narrow',
  },
  {
    breaks: 'a licence of one organisation is good for all',
    file: 'sql/datasets_in_reach.sql',
    from: '(licence.org_id = $1::text or licence.org_id is null)',
    to: '(licence.org_id = $1::text or true)',
    tests: ['routes/data'],
    grep: 'shows each organisation',
  },
  {
    breaks: 'features are shown to every key',
    file: 'dist/src/datasets/visible.js',
    from: "caller.capabilities.includes('feature.read') ?",
    to: 'true ?',
    tests: ['routes/data'],
    grep: 'feature.read',
  },
  {
    breaks: 'the finished text is not checked',
    file: 'dist/src/insight/narrate.js',
    from: 'check(result.text, input.facts).map(',
    to: '[].map(',
    tests: ['insight/narrate', 'insight/prompt'],
  },
  {
    breaks: 'a percentage passes for a plain number',
    file: 'dist/src/insight/verify.js',
    from: "known !== '%'",
    to: 'known !== undefined',
    tests: ['insight/verify'],
  },
  {
    breaks: 'numbers of names are figures',
    file: 'dist/src/insight/verify.js',
    from: 'readNumbers(masked(masked(text, ids), names))',
    to: 'readNumbers(masked(text, ids))',
    tests: ['insight/verify'],
  },
  {
    breaks: 'points that are asked for together get the answer of another',
    file: 'dist/src/routes/frames-at.js',
    from: 'found[frame.place - 1] = frame',
    to: 'found[points.length - frame.place] = frame',
    tests: ['routes/at-together'],
  },
  {
    breaks: 'the memory of a page is used again before the page was compressed',
    file: 'dist/src/http/send.js',
    from: 'const chunks = await compressed(coding, pieces)',
    to: 'release?.(); const chunks = await compressed(coding, pieces)',
    tests: ['routes/pages-together'],
  },
  {
    breaks: 'an answer that an index came in for keeps the tag of the old one',
    file: 'dist/src/http/etag.js',
    from: 'if (after !== generation || !isSame)',
    to: 'if (!isSame)',
    tests: ['load/tags'],
    grep: 'bbox',
  },
]
