import assert from 'node:assert/strict'
import { CAPABILITIES, PRESETS } from '../../src/core/access/capabilities.js'
import { newSecret } from '../../src/core/access/secret.js'
import { keyAuthority } from '../../src/core/db/statements.js'
import { pathsWithKey } from '../support/description.js'
import { ask, askRaw, bearer, errorOf, mint, service, startService, type Service } from '../support/service.js'

/** For each kind of call: one that a good key gets 200 for, and one with wrong parameters. */
const calls = [
  '/v1/frames/at?lat=0.105&lon=0.205',
  '/v1/frames/at?lat=north',
  '/v1/frames?bbox=0.2,0.1,0.22,0.12',
  '/v1/frames?ids=324378020',
  '/v1/frames?state=marembe&limit=2',
  '/v1/frames?bbox=nothing',
  '/v1/frames/admin',
  '/v1/states',
  '/v1/lgas',
  '/v1/lgas?lga=x',
  '/v1/wards?state=marembe',
  '/v1/wards',
]

type State = {
  name: string
  code: 'unauthorized' | 'invalid_key'
  /** The number of statements that the refusal may cost. */
  statements: 0 | 1
  headers: () => Promise<Record<string, string>>
}

const noKey = { code: 'unauthorized', statements: 0 } as const
const badKey = { code: 'invalid_key', statements: 0 } as const
const refusedKey = { code: 'invalid_key', statements: 1 } as const
const fixed = (headers: Record<string, string>) => async () => headers
const good = newSecret()
const otherEnd = good.endsWith('0') ? '1' : '0'

/** Makes a good key, then changes it by a statement. */
const spoilt = (change: string) => async () => {
  const { db } = service()
  const { secret, keyId } = await mint(db)
  await db.rows(change, [keyId])
  return bearer(secret)
}

const states: State[] = [
  { name: 'no key', ...noKey, headers: fixed({}) },
  { name: 'an empty header', ...noKey, headers: fixed({ authorization: '' }) },
  { name: 'Bearer alone', ...noKey, headers: fixed({ authorization: 'Bearer' }) },
  { name: 'the scheme Basic', ...noKey, headers: fixed({ authorization: `Basic ${good}` }) },
  { name: 'no scheme', ...noKey, headers: fixed({ authorization: good }) },
  { name: 'another prefix', ...noKey, headers: fixed(bearer(good.replace('svc_sk_', 'svc_pk_'))) },
  { name: 'a key in another header', ...noKey, headers: fixed({ 'x-api-key': good }) },
  { name: 'the prefix alone', ...badKey, headers: fixed(bearer('svc_sk_')) },
  { name: 'a character too few', ...badKey, headers: fixed(bearer(good.slice(0, -1))) },
  { name: 'a character too many', ...badKey, headers: fixed(bearer(`${good}0`)) },
  { name: 'a wrong last character', ...badKey, headers: fixed(bearer(good.slice(0, -1) + otherEnd)) },
  { name: 'two characters changed about', ...badKey, headers: fixed(bearer(changedAbout(good))) },
  { name: 'a character of no key', ...badKey, headers: fixed(bearer(good.replace(/.$/, '-'))) },
  { name: 'two keys in one header', ...badKey, headers: fixed(bearer(`${good}, ${good}`)) },
  { name: 'ten thousand characters', ...badKey, headers: fixed(bearer(`svc_sk_${'a'.repeat(10_000)}`)) },
  { name: 'a key that was never minted', ...refusedKey, headers: async () => bearer(newSecret()) },
  {
    name: 'a key that expires at this very instant',
    ...refusedKey,
    headers: spoilt(`with instant as (select clock_timestamp() as at)
      update api_key set expires_at = at, created_at = at - interval '7 days' from instant where key_id = $1::text`),
  },
  {
    name: 'a key that expired long ago',
    ...refusedKey,
    headers: spoilt(`update api_key set expires_at = now() - interval '1 year', created_at = now() - interval '400 days'
      where key_id = $1::text`),
  },
  {
    name: 'a key revoked at this very instant',
    ...refusedKey,
    headers: spoilt('update api_key set revoked_at = clock_timestamp() where key_id = $1::text'),
  },
  {
    name: 'a key that is not there any more',
    ...refusedKey,
    headers: spoilt('delete from api_key where key_id = $1::text'),
  },
  {
    name: 'a key whose organisation is gone',
    ...refusedKey,
    headers: spoilt('delete from organisation where org_id = (select org_id from api_key where key_id = $1::text)'),
  },
]

function changedAbout(secret: string): string {
  const at = Array.from(secret).findIndex((character, i) => i >= 7 && character !== secret[i + 1])
  return secret.slice(0, at) + secret[at + 1] + secret[at] + secret.slice(at + 2)
}

describe('access to the calls', () => {
  it('is tried on every path that needs a key and answers to GET and HEAD', () => {
    const tried = calls.map((call) => call.split('?')[0])
    const missing = pathsWithKey('HEAD').filter((path) => !tried.includes(path))
    assert.deepEqual(missing, [], 'paths of openapi.yaml that the list "calls" of this file lacks')
  })

  let watched: Service & { stop: () => Promise<void> }
  let sent: string[]

  before(async () => {
    watched = await startService(service().database, { watch: (text) => sent.push(text) })
  })
  after(() => watched.stop())
  beforeEach(() => (sent = []))

  const refuses = async (
    method: string,
    path: string,
    { code, statements }: State,
    headers: Record<string, string>,
  ) => {
    sent = []
    const answer = await ask(watched.url + path, { method, headers })
    assert.equal(answer.status, 401, `${method} ${path}`)
    if (method === 'GET') assert.equal(errorOf(answer).code, code, path)
    const challenge = `Bearer realm="frames"${code === 'unauthorized' ? '' : ', error="invalid_token"'}`
    assert.equal(answer.headers.get('www-authenticate'), challenge)
    assert.equal(answer.headers.get('ratelimit'), null, 'nothing was metered')
    assert.deepEqual(sent, Array(statements).fill(keyAuthority.text), path)
  }
  for (const [i, state] of states.entries()) {
    it(`${state.name}: 401 ${state.code} on every call, and no data is read`, async () => {
      const headers = await state.headers()
      for (const path of calls) await refuses('GET', path, state, headers)
      await refuses('HEAD', calls[i % calls.length] ?? '', state, headers)
    })
  }

  it('two Authorization headers: 401, also when both are the same good key', async () => {
    const { secret } = await mint(service().db)
    for (const second of [secret, newSecret()]) {
      const line = (key: string) => `Authorization: Bearer ${key}\r\n`
      const text = await askRaw(
        watched,
        `GET /v1/states HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line(secret)}${line(second)}\r\n`,
      )
      assert.match(text, /^HTTP\/1.1 401 /)
      assert.match(text, /"code":"unauthorized","message":"One Authorization header is accepted, 2 came."/)
      assert.deepEqual(sent, [])
    }
  })

  it('a key in a query parameter is not read', async () => {
    const { secret } = await mint(service().db)
    for (const name of ['key', 'api_key', 'access_token', 'authorization']) {
      const answer = await ask(`${watched.url}/v1/states?${name}=${secret}`)
      assert.equal(answer.status, 401)
      assert.equal(errorOf(answer).code, 'unauthorized')
    }
  })

  it('the scheme in any case, with blanks around the key', async () => {
    const { secret } = await mint(service().db)
    for (const authorization of [`bearer ${secret}`, `BEARER   ${secret}`, `Bearer ${secret}  `]) {
      assert.equal((await ask(`${watched.url}/v1/states`, { headers: { authorization } })).status, 200)
    }
  })

  const sets: { name: string; capabilities: readonly string[] }[] = [
    { name: 'no capability', capabilities: [] },
    { name: 'all but frame.read', capabilities: CAPABILITIES.filter((capability) => capability !== 'frame.read') },
    { name: 'frame.read in capitals', capabilities: ['FRAME.READ'] },
    ...CAPABILITIES.map((capability) => ({ name: `${capability} alone`, capabilities: [capability] })),
    ...Object.entries(PRESETS).map(([preset, capabilities]) => ({ name: `the preset ${preset}`, capabilities })),
  ]

  for (const { name, capabilities } of sets) {
    const may = capabilities.includes('frame.read')
    it(`${name}: ${may ? 'is answered' : '403, before parameters are looked at and without reading data'}`, async () => {
      const { db } = service()
      const { secret, keyId } = await mint(db)
      await db.rows('update api_key set capabilities = $2::text[] where key_id = $1::text', [keyId, capabilities])
      for (const path of calls) {
        sent = []
        const answer = await ask(watched.url + path, { headers: bearer(secret) })
        assert.notEqual(answer.status, 401)
        assert.match(answer.headers.get('ratelimit') ?? '', /^"key";r=\d+;t=1$/)
        if (may) {
          assert.ok([200, 400].includes(answer.status), `${path}: ${answer.status}`)
          continue
        }
        assert.equal(answer.status, 403, path)
        assert.deepEqual(errorOf(answer), {
          code: 'insufficient_scope',
          message:
            'This call needs frame.read, which this key lacks. Presets that carry it: Locality, Analyst, Full read.',
        })
        assert.equal(
          answer.headers.get('www-authenticate'),
          'Bearer realm="frames", error="insufficient_scope", scope="frame.read"',
        )
        assert.deepEqual(sent, [keyAuthority.text], path)
      }
    })
  }

  it('an ETag without a key: 401 and not 304', async () => {
    const { secret, keyId } = await mint(service().db)
    const url = `${watched.url}/v1/states`
    const etag = (await ask(url, { headers: bearer(secret) })).headers.get('etag') ?? ''
    assert.ok(etag)
    const again = { ...bearer(secret), 'if-none-match': etag }
    assert.equal((await ask(url, { headers: again })).status, 304)
    await service().db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [keyId])
    assert.equal((await ask(url, { headers: again })).status, 401)
    assert.equal((await ask(url, { headers: { 'if-none-match': etag } })).status, 401)
  })

  it('an unknown path or method is refused without a key', async () => {
    assert.equal((await ask(`${watched.url}/v1/nothing`)).status, 404)
    assert.equal((await ask(`${watched.url}/v1/states`, { method: 'POST' })).status, 405)
    assert.deepEqual(sent, [])
  })
})
