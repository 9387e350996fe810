/** The tests' own test: what matters is broken, one thing at a time, and the suite must notice. */
import assert from 'node:assert/strict'
import { onPostgres } from './support/database.js'
import { failuresOf, type Mutant } from './support/mutants.js'

const buckets = 'dist/src/limits/buckets.js'
const script = 'dist/src/limits/in-redis.js'
const inProcess = 'metering in the process'
const inRedis = 'metering in Redis'

const mutants: Mutant[] = [
  {
    breaks: 'the memory of a page is used again before the page was sent',
    file: 'dist/src/http/send.js',
    from: "res.once('close', () => {",
    to: 'process.nextTick(() => {',
    tests: ['routes/pages-together'],
  },
  {
    breaks: 'a refused call spends from the buckets that have room (in the process)',
    file: buckets,
    from: 'fullAt: states.map(({ kept }) => kept)',
    to: 'fullAt: states.map(({ kept, after, left }) => (left < 0 ? kept : after))',
    tests: ['limits/metering'],
    grep: `${inProcess} spends`,
  },
  {
    breaks: 'a refused call spends from the buckets that have room (in Redis)',
    file: script,
    from: 'if lefts[longest] >= 0 then',
    to: 'if lefts[longest] < 0 then for i = 1, buckets do if lefts[i] >= 0 then keep(KEYS[first + i], afters[i]) end end else',
    tests: ['limits/metering'],
    grep: `${inRedis} spends`,
  },
  {
    breaks: 'calls that are decided together do not see what those before them spent',
    file: script,
    from: "kept[key] = kept[key] or tonumber(redis.call('GET', key) or now)",
    to: "kept[key] = tonumber(redis.call('GET', key) or now)",
    tests: ['limits/metering'],
    grep: `${inRedis} lets exactly 60`,
  },
  {
    breaks: 'buckets fill at once every twelve seconds instead of continuously (in the process)',
    file: 'dist/src/limits/in-process.js',
    from: 'const now = clock()',
    to: 'const now = Math.floor(clock() / 12e6) * 12e6',
    tests: ['limits/metering'],
    grep: `${inProcess} (refills|says in Retry-After)`,
  },
  {
    breaks: 'buckets fill at once every twelve seconds instead of continuously (in Redis)',
    file: script,
    from: 'local now = time[1] * 1000000 + time[2]',
    to: 'local now = math.floor((time[1] * 1000000 + time[2]) / 12000000) * 12000000',
    tests: ['limits/metering'],
    grep: `${inRedis} (refills|says in Retry-After)`,
  },
  {
    breaks: 'the headers report the fullest bucket (in the process)',
    file: buckets,
    from: 'other.left / other.each < one.left / one.each',
    to: 'other.left / other.each > one.left / one.each',
    tests: ['limits/metering'],
    grep: `${inProcess} reports`,
  },
  {
    breaks: 'the headers report the fullest bucket (in Redis)',
    file: script,
    from: 'lefts[i] / each < lefts[tightest] / eaches[tightest]',
    to: 'lefts[i] / each > lefts[tightest] / eaches[tightest]',
    tests: ['limits/metering'],
    grep: `${inRedis} reports`,
  },
  {
    breaks: 'Retry-After is rounded down',
    file: buckets,
    from: 'Math.max(1, Math.ceil(waitMicros / 1_000_000))',
    to: 'Math.max(1, Math.floor(waitMicros / 1_000_000))',
    tests: ['limits/buckets', 'limits/metering'],
    grep: 'say how long to wait|process says in Retry-After',
  },
  {
    breaks: 'Retry-After is a second too long',
    file: buckets,
    from: 'Math.ceil(waitMicros / 1_000_000)',
    to: 'Math.ceil(waitMicros / 1_000_000) + 1',
    tests: ['limits/buckets'],
    grep: 'say how long to wait',
  },
  {
    breaks: 'each key has a bucket of its organisation to itself',
    file: buckets,
    from: '`{${orgId}}:organisation`',
    to: '`{${orgId}}:organisation:${keyId}`',
    tests: ['limits/metering'],
    grep: `${inProcess} shares`,
  },
  {
    breaks: 'a store that is away refuses calls',
    file: 'dist/src/http/meter.js',
    from: 'passOnStoreError: true',
    to: 'passOnStoreError: false',
    tests: ['limits/redis-faults'],
    grep: 'is down at start',
  },
  {
    breaks: 'a store that hangs is waited for',
    file: 'dist/src/limits/redis-link.js',
    from: 'const ANSWER_MS = 1000',
    to: 'const ANSWER_MS = 5000',
    tests: ['limits/redis-faults'],
    grep: 'hangs for ten seconds',
  },
  {
    breaks: 'authority is remembered for a second',
    file: 'dist/src/access/authority.js',
    from: "return (secret) => find(hashOf(secret).toString('hex'))",
    to: `const known = new Map()
    return (secret) => {
      const hex = hashOf(secret).toString('hex')
      if (!known.has(hex)) {
        known.set(hex, find(hex))
        setTimeout(() => known.delete(hex), 1000)
      }
      return known.get(hex)
    }`,
    tests: ['access/changes'],
  },
  {
    breaks: 'requests that ask for the same key share the query under way',
    file: 'dist/src/together.js',
    from: 'batch.forEach(({ done }, place) => done(answers[place]))',
    to: `batch.forEach(({ done, question }, place) => {
      done(answers[place])
      for (const late of waiting.splice(0)) late.question === question ? late.done(answers[place]) : waiting.push(late)
    })`,
    tests: ['db/together'],
  },
  {
    breaks: 'points that are asked for together get the answer of another',
    file: 'dist/src/routes/frames-at.js',
    from: 'found[frame.place - 1] = frame',
    to: 'found[points.length - frame.place] = frame',
    tests: ['routes/at-together'],
  },
  {
    breaks: 'expired keys are let in',
    file: 'sql/key_authority.sql',
    from: 'api_key.expires_at > clock_timestamp()',
    to: 'api_key.expires_at is not null',
    tests: ['access/matrix'],
    grep: 'expire',
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
    breaks: 'a mistyped key costs a query',
    file: 'dist/src/access/secret.js',
    from: 'form.test(secret) && checksum',
    to: 'form.test(secret) || checksum',
    tests: ['access/matrix'],
    grep: 'wrong last character',
  },
  {
    breaks: 'capabilities are not looked at',
    file: 'dist/src/http/require.js',
    from: 'if (!req.caller?.capabilities.includes(capability))',
    to: 'if (!req.caller)',
    tests: ['access/matrix'],
    grep: 'ask.query alone',
  },
  {
    breaks: 'capabilities are looked at before the buckets',
    file: 'dist/src/app.js',
    from: 'app.route(path).get(credential, buckets, needs(capability), call)',
    to: 'app.route(path).get(credential, needs(capability), buckets, call)',
    tests: ['access/matrix'],
    grep: 'ask.query alone',
  },
  {
    breaks: 'the account is not locked',
    file: 'dist/src/credits/ledger.js',
    from: '.forNoKeyUpdate()',
    to: '',
    tests: ['credits/ledger'],
    grep: '200 parallel calls',
  },
  {
    breaks: 'the ledger takes an entry twice',
    file: 'migrations/004_credits.sql',
    from: 'constraint credit_entry_once unique (org_id, request_id, kind, ref)',
    to: 'constraint credit_entry_once unique (org_id, request_id, kind, ref, entry_id)',
    tests: ['credits/ledger'],
    grep: 'tops up once|gives back',
  },
  {
    breaks: 'a request that was charged is charged again',
    file: 'dist/src/credits/ledger.js',
    from: 'if (before.length > 0)',
    to: 'if (false)',
    tests: ['credits/ledger'],
    grep: 'charges a request once|keeps to what was decided',
  },
  {
    breaks: 'datasets are charged for before it is known whether they contribute',
    file: 'dist/src/routes/frames-data.js',
    from: 'contributing(records, seen)',
    to: 'seen',
    tests: ['routes/data'],
    grep: 'not where it records nothing',
  },
  {
    breaks: 'credits are floating-point numbers',
    file: 'migrations/004_credits.sql',
    from: 'credits bigint not null',
    to: 'credits real not null',
    tests: ['credits/ledger'],
    grep: 'counts whole credits exactly',
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
    file: 'dist/src/datasets/seen.js',
    from: "caller.capabilities.includes('feature.read') ?",
    to: 'true ?',
    tests: ['routes/data'],
    grep: 'feature.read',
  },
  {
    breaks: 'a charge whose end is not known is not tried again',
    file: 'dist/src/credits/ledger.js',
    from: 'if (!isLost(error))',
    to: 'if (true)',
    tests: ['credits/ledger'],
    grep: 'outcome is unknown',
  },
  {
    breaks: 'a write on a connection that was lost ends the process',
    file: 'dist/src/db/connect.js',
    from: 'error instanceof TypeError &&',
    to: 'false &&',
    tests: ['faults/ledger-faults'],
    env: { LEDGER_CHANGES: '6000' },
  },
  {
    breaks: 'the daily ceiling is forgotten',
    file: 'dist/src/credits/allowance.js',
    from: 'if (used.today + held.length >= DAILY)',
    to: 'if (false)',
    tests: ['insight/allowance'],
    grep: '1,000 a day',
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
    breaks: 'an answer that came without words keeps its place',
    file: 'dist/src/insight/answer.js',
    from: 'await giveBack(db, asker.orgId, requestId)',
    to: 'await Promise.resolve()',
    tests: ['insight/insight'],
    grep: 'counts nothing',
  },
  {
    breaks: 'an average is not weighted',
    file: 'sql/figures_of_baselines.sql',
    from: 'sum(number * share) / nullif(sum(share) filter (where number is not null), 0)',
    to: 'avg(number)',
    tests: ['insight/figures'],
  },
  {
    breaks: 'a question counts features for every key',
    file: 'dist/src/datasets/seen.js',
    from: "caller.capabilities.includes('feature.read') ?",
    to: 'true ?',
    tests: ['insight/insight'],
    grep: 'feature.read',
  },
  {
    breaks: 'the finished text is not checked',
    file: 'dist/src/insight/narrate.js',
    from: 'check(result.text, figures).map(',
    to: '[].map(',
    tests: ['insight/wording', 'insight/slots'],
  },
  {
    breaks: 'a percentage passes for a plain number',
    file: 'dist/src/insight/verify.js',
    from: "unit !== '%'",
    to: 'unit !== undefined',
    tests: ['insight/verify'],
  },
  {
    breaks: 'numbers of names are figures',
    file: 'dist/src/insight/verify.js',
    from: 'readNumbers(hidden(hidden(text, frameIds), names))',
    to: 'readNumbers(hidden(text, frameIds))',
    tests: ['insight/verify'],
  },
  {
    breaks: 'questions spend from the reading buckets alone',
    file: 'dist/src/app.js',
    from: "meter(services, 'insight')",
    to: "meter(services, 'read')",
    tests: ['insight/insight'],
    grep: 'third bucket',
  },
  {
    breaks: 'what a call paid is counted as one credit, whatever its price',
    file: 'dist/src/ops/metrics.js',
    from: "credits.inc({ kind: 'dataset' }, price ?? 0)",
    to: "credits.inc({ kind: 'dataset' })",
    tests: ['ops/metrics'],
    grep: 'exactly as the ledger has it',
  },
  {
    breaks: 'a read whose connection was lost is not asked again',
    file: 'dist/src/services.js',
    from: 'const RETRY_MS = 2500',
    to: 'const RETRY_MS = 0',
    tests: ['ops/metrics'],
    grep: 'asked again',
  },
  {
    breaks: 'a process that was told to stop takes no more calls',
    file: 'dist/src/http/server.js',
    from: 'await sleep(drainMs,',
    to: 'await sleep(0,',
    tests: ['ops/rolling-restart'],
    env: { ROLLING_REQUESTS: '4000' },
  },
  {
    breaks: 'a call that is rehearsed changes what it should only look at',
    file: 'dist/src/db/rehearsal.js',
    from: 'change: (place, work) => work(inside(place))',
    to: 'change: (place, work) => db.change(place, work)',
    tests: ['cli/sql'],
    grep: 'charges nothing',
  },
  {
    breaks: 'a value ends the text it stands in',
    file: 'dist/src/inspect/literals.js',
    from: `text.replaceAll("'", "''")`,
    to: 'text',
    tests: ['sql/literals'],
    grep: 'any value',
  },
  {
    breaks: 'the log has the question',
    file: 'dist/src/http/access-log.js',
    from: 'path: req.path.slice(0, 100)',
    to: 'path: req.url',
    tests: ['access/logs'],
    grep: 'one line a request',
  },
  {
    breaks: 'authority is read from a replica',
    file: 'dist/src/services.js',
    from: 'authority: authorityFinder(replicas.vouched)',
    to: 'authority: authorityFinder({ rows: (text, args) => replicas.reads().rows(text, args) })',
    tests: ['replicas/lag'],
    grep: 'revocation',
  },
  {
    breaks: 'the tag has the versions of the primary, the answer the rows of a replica',
    file: 'dist/src/datasets/seen.js',
    from: 'datasetsServed(reads,',
    to: 'datasetsServed(vouched,',
    tests: ['replicas/lag'],
    grep: 'the tag of data',
  },
  {
    breaks: 'a replica answers for the primary for as long as that is away',
    file: 'dist/src/db/replicas.js',
    from: 'Date.now() - freshAt < graceMs',
    to: 'graceMs > 0',
    tests: ['replicas/outages'],
    grep: 'within the grace',
  },
  {
    breaks: 'a replica answers for a primary that is there',
    file: 'dist/src/db/replicas.js',
    from: 'const replica = isPrimaryAway ? standIn() : undefined',
    to: 'const replica = standIn()',
    tests: ['replicas/outages'],
    grep: 'within the grace',
  },
  {
    breaks: 'transactions begin on connections that reads share',
    file: 'dist/src/db/connect.js',
    from: 'onIdlest(sql.transactions',
    to: 'onIdlest(sql.statements',
    tests: ['db/transactions'],
    grep: 'to itself',
  },
  {
    breaks: 'a call that goes over to another server midway keeps its tag',
    file: 'dist/src/http/etag.js',
    from: "res.removeHeader('ETag')",
    to: 'undefined',
    tests: ['replicas/outages'],
    grep: 'lost midway',
  },
  {
    breaks: 'analysts read every table',
    file: 'migrations/007_analyst.sql',
    from: 'grant select on layer_styles to %s',
    to: 'grant select on all tables in schema public to %s',
    tests: ['analyst/role'],
    grep: 'no other table or view',
  },
  {
    breaks: 'the doctor passes over an account that its entries do not add up to',
    file: 'sql/ledger_faults.sql',
    from: 'account.balance < 0 or account.balance <> coalesce(summed.credits, 0)',
    to: 'account.balance < 0',
    tests: ['doctor/doctor'],
    grep: 'entries do not add up to',
  },
  {
    breaks: 'the doctor passes over rights that the service has no need of',
    file: 'sql/doctor/service_grants.sql',
    from: "privilege <> 'SELECT'",
    to: "privilege = 'REFERENCES'",
    tests: ['doctor/server'],
    grep: 'may rewrite the ledger',
  },
]

if (onPostgres && process.env['MUTANTS'] !== 'off') {
  describe('the suite notices when', function () {
    this.timeout(120_000)

    it('nothing is broken: the same tests pass on an unchanged copy', async () => {
      const same = { from: 'const SWEEP_EVERY', to: 'const SWEEP_EVERY' }
      const tests = ['access/matrix', 'access/logs', 'limits/buckets', 'db/together']
      const unbroken = { breaks: 'nothing', file: 'dist/src/limits/in-process.js', ...same, tests }
      assert.equal(await failuresOf(unbroken), 0)
    })

    for (const mutant of mutants) {
      it(mutant.breaks, async () => {
        assert.ok((await failuresOf(mutant)) > 0, 'no test failed')
      })
    }
  })
}
