import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { newSecret } from '../../src/core/access/secret.js'
import { readConfig } from '../../src/server/config.js'
import { clientAddress } from '../../src/core/client-address.js'
import { addressBuckets } from '../../src/core/limits/address-buckets.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { ask, bearer, errorOf, mint, service, startService, type Answer } from '../support/service.js'

const roomy = { burst: 900_000, perMinute: 900_000 }
const path = '/v1/states'

type Settings = Parameters<typeof startService>[1]
type Running = Awaited<ReturnType<typeof startService>>

/** Runs a service with a bucket of five for each address, which takes hours to fill, and counts its lookups of keys. */
async function withBucket(
  settings: Settings,
  run: (
    call: (secret: string, headers?: Record<string, string>) => Promise<Answer>,
    lookups: () => number,
    running: Running,
  ) => Promise<void>,
): Promise<void> {
  let looked = 0
  const running = await startService(service().database, {
    buckets: { key: roomy, organisation: roomy, insight: roomy, address: { burst: 5, perMinute: 1 } },
    watch: (text) => (looked += text.startsWith('-- key_authority') ? 1 : 0),
    ...settings,
  })
  try {
    await run(
      (secret, headers = {}) => ask(running.url + path, { headers: { ...bearer(secret), ...headers } }),
      () => looked,
      running,
    )
  } finally {
    await running.stop()
  }
}

const statuses = async (calls: Promise<Answer>[]) => (await Promise.all(calls)).map(({ status }) => status)
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

describe('the bucket of an address', () => {
  it('is spent by well-formed keys that are unknown: then 429, which names it, without a query', () =>
    withBucket({ ops: true }, async (call, lookups, { opsUrl }) => {
      for (let i = 0; i < 5; i += 1) assert.equal((await call(newSecret())).status, 401)
      const before = lookups()
      const refused = await call(newSecret())
      assert.equal(refused.status, 429)
      const seconds = Number(refused.headers.get('retry-after'))
      assert.ok(seconds > 50 && seconds <= 60, String(seconds))
      assert.deepEqual(errorOf(refused), {
        code: 'rate_limited',
        message: `The address bucket is spent: it lets 5 calls at once and 1 a minute pass. The next passes in ${seconds} s.`,
      })
      assert.equal(refused.headers.get('ratelimit'), `"address";r=0;t=${seconds}`)
      assert.equal(refused.headers.get('ratelimit-policy'), '"address";q=5;w=300')
      assert.equal(lookups(), before)
      assert.equal(sampleOf(await scrape(opsUrl), 'frames_bucket_refusals_total{bucket="address"}'), 1)
    }))

  it('lets as many of 60 parallel lookups pass as it holds', () =>
    withBucket({}, async (call) => {
      const seen = await statuses(times(60, () => call(newSecret())))
      assert.deepEqual([seen.filter((s) => s === 401).length, seen.filter((s) => s === 429).length], [5, 55])
    }))

  it('is spent by an unknown key that is sent again, and by revoked keys', () =>
    withBucket({}, async (call, _lookups, { db }) => {
      const unknown = newSecret()
      assert.deepEqual([(await call(unknown)).status, (await call(unknown)).status], [401, 401])
      const { secret, keyId } = await mint(db)
      assert.equal((await call(secret)).status, 200)
      await db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [keyId])
      const seen = []
      for (let i = 0; i < 4; i += 1) seen.push((await call(secret)).status)
      assert.deepEqual(seen, [401, 401, 401, 429])
    }))

  it('costs a good key nothing; a key that was good before passes when the bucket is spent', () =>
    withBucket({}, async (call, _lookups, { db }) => {
      const known = await mint(db)
      const fresh = await mint(db)
      for (let i = 0; i < 20; i += 1) assert.equal((await call(known.secret)).status, 200)
      assert.deepEqual(await statuses(times(6, () => call(newSecret()))), [401, 401, 401, 401, 401, 429])
      assert.deepEqual(await statuses(times(20, () => call(known.secret))), Array(20).fill(200))
      assert.equal((await call(fresh.secret)).status, 429, 'it may be a guess')
    }))

  it('is not spent by calls that need no query: no key, another scheme, a mistyped key', () =>
    withBucket({}, async (call, lookups, { url }) => {
      for (let i = 0; i < 10; i += 1) {
        assert.equal((await ask(url + path)).status, 401)
        assert.equal((await call(`${newSecret().slice(0, -1)}-`)).status, 401)
      }
      assert.equal(lookups(), 0)
      assert.equal((await call(newSecret())).status, 401)
    }))

  it('is not used behind a proxy, whose address all callers share, unless the setting names a header to trust', async () => {
    const through = (address: string) => ({ 'x-forwarded-for': address })
    await withBucket({}, async (call) => {
      const seen = await statuses(times(20, () => call(newSecret(), through('192.0.2.1'))))
      assert.deepEqual(seen, Array(20).fill(401))
    })
    await withBucket({ trustedHeader: { name: 'X-Forwarded-For', proxies: 1 } }, async (call) => {
      const seen = await statuses(times(6, (i) => call(newSecret(), through(`203.0.113.${i}, 192.0.2.1`))))
      assert.deepEqual(
        seen.sort((a, b) => a - b),
        [401, 401, 401, 401, 401, 429],
        'what the caller writes himself counts for nothing',
      )
      assert.equal((await call(newSecret(), through('192.0.2.2'))).status, 401, 'another caller')
      const direct = await statuses(times(6, () => call(newSecret())))
      assert.deepEqual(
        direct.sort((a, b) => a - b),
        [401, 401, 401, 401, 401, 429],
        'without the header, the connection tells',
      )
    })
  })

  it('gets a call back when the lookup failed for no fault of the caller', async () => {
    let now = 0
    const buckets = addressBuckets({ burst: 2, perMinute: 60 }, () => now)
    const lookUp = (key: string, found: () => Promise<true | undefined>) =>
      buckets.meterLookUp(() => '192.0.2.1', key, found)
    const away = () => Promise.reject(new Error('away'))
    for (let i = 0; i < 9; i += 1) await assert.rejects(lookUp('a', away), /away/)
    assert.deepEqual(await lookUp('a', async () => undefined), { found: undefined })
    assert.deepEqual(await lookUp('b', async () => true), { found: true })
    assert.deepEqual(await lookUp('c', async () => undefined), { found: undefined })
    assert.ok('refused' in (await lookUp('d', async () => true)))
    now += 1_000_000
    assert.deepEqual(await lookUp('d', async () => true), { found: true })
    assert.deepEqual(await lookUp('e', async () => undefined), { found: undefined })
    assert.ok('refused' in (await lookUp('f', async () => true)))
  })

  it('takes bounded memory, for addresses and for keys', async () => {
    const buckets = addressBuckets({ burst: 5, perMinute: 1 })
    const lookUp = (address: string, key: string, found: true | undefined) =>
      buckets.meterLookUp(
        () => address,
        key,
        async () => found,
      )
    for (let i = 0; i < 21_000; i += 1) await lookUp(`address ${i}`, `key ${i}`, undefined)
    for (let i = 0; i < 11_000; i += 1) await lookUp('one', `good ${i}`, true)
    // A full bucket is deleted, so the address of the good keys takes no memory.
    assert.deepEqual(buckets.sizes(), { addresses: 19_999, goodKeys: 10_000 })
  })
})

describe('the address of a client', () => {
  const of = (peer: string, headers: Record<string, string> = {}, trusted?: [name: string, proxies: number]) => {
    const req = new IncomingMessage(new Socket())
    Object.defineProperty(req.socket, 'remoteAddress', { value: peer })
    return clientAddress(Object.assign(req, { headers }), trusted && { name: trusted[0], proxies: trusted[1] })
  }
  const xff: [string, number] = ['X-Forwarded-For', 1]

  it('is the address of the connection, or its network for IPv6', () => {
    assert.equal(of('192.0.2.1'), '192.0.2.1')
    assert.equal(of('::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(of('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
    assert.equal(of('2001:db8::6'), '2001:db8:0:0::/64')
    assert.equal(of('fe80::1%eth0'), 'fe80:0:0:0::/64')
    assert.equal(of('::1'), '0:0:0:0::/64')
  })

  it('is unknown behind a nearby proxy; a header from a far client hides nobody', () => {
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-proto'])
      for (const peer of ['127.0.0.1', '10.1.2.3', '172.18.0.1', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])
        assert.equal(of(peer, { [name]: 'x' }), undefined, `${name} from ${peer}`)
    assert.equal(of('203.0.113.5', { 'x-forwarded-for': '192.0.2.1' }), '203.0.113.5')
  })

  it('is the one that the trusted proxies wrote, in any usual form, and otherwise that of the connection', () => {
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 192.0.2.1' }, xff), '192.0.2.1')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 192.0.2.1' }, ['x-forwarded-for', 2]), '1.1.1.1')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, ['x-forwarded-for', 2]), '10.0.0.1')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '192.0.2.1:4711' }, xff), '192.0.2.1')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '[2001:db8::1]:4711' }, xff), '2001:db8:0:0::/64')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '2001:db8::1' }, xff), '2001:db8:0:0::/64')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '::ffff:192.0.2.1' }, xff), '192.0.2.1')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': 'unknown' }, xff), '10.0.0.1')
    assert.equal(of('10.0.0.1', { 'x-forwarded-for': '' }, xff), '10.0.0.1')
    assert.equal(of('10.0.0.1', { 'x-real-ip': '192.0.2.7' }, ['X-Real-IP', 1]), '192.0.2.7')
    const forwarded = 'for=1.1.1.1;proto=https, for="[2001:db8::1]:99";by=10.0.0.1'
    assert.equal(of('10.0.0.1', { forwarded }, ['Forwarded', 1]), '2001:db8:0:0::/64')
  })

  it('is configured as the pages for operators say', () => {
    const read = (env: Record<string, string>) => [readConfig(env).buckets.address, readConfig(env).trustedHeader]
    assert.deepEqual(read({}), [{ burst: 300, perMinute: 60 }, undefined])
    assert.deepEqual(read({ BUCKET_ADDRESS: 'off' }), [undefined, undefined])
    assert.deepEqual(read({ BUCKET_ADDRESS: '9/8', CLIENT_ADDRESS_HEADER: 'X-Forwarded-For/2' }), [
      { burst: 9, perMinute: 8 },
      { name: 'X-Forwarded-For', proxies: 2 },
    ])
  })
})
