import assert from 'node:assert/strict'
import { CAPABILITIES, PRESETS, presetsWith } from '../../src/core/access/capabilities.js'
import { newSecret } from '../../src/core/access/secret.js'
import { keyAuthority } from '../../src/core/db/statements.js'
import { insufficientScope } from '../../src/core/errors.js'
import { refusalOf, send } from '../calls/call-rows.js'
import { pairs } from '../mcp/pairs.js'
import { everyCall, everyMistake } from '../support/every-call.js'
import { ask, askRaw, bearer, errorOf, mint, service, startService, type Service } from '../support/service.js'

/** The paths of /ogc that need a key. */
const OGC = [
  '',
  '/frames',
  '/frames/queryables',
  '/frames/items?limit=1',
  '/frames/items?limit=0',
  '/frames/items/324378020',
]
const toolCalls = pairs.filter(({ tool }, i) => tool !== pairs[i - 1]?.tool)

/** Right calls of every door that a capability opens, and a wrong one of each path. */
const calls = [
  ...everyCall,
  ...everyMistake.filter(({ path }, i) => path !== everyMistake[i - 1]?.path),
  ...toolCalls.map(({ tool, given, path }) => {
    const needs = path.endsWith('/insight') ? 'ask.query' : 'frame.read'
    return { call: `POST /tools/${tool} ${JSON.stringify(given)}`, method: 'POST', needs }
  }),
  { call: 'POST /tools/enrich [{"frame":"324378020"}]', method: 'POST', needs: 'frame.read' },
  ...['', '/lyr_population.parquet'].map((path) => ({ call: `GET /files${path}`, method: 'GET', needs: 'frame.read' })),
  ...OGC.map((path) => ({ call: `GET /ogc/collections${path}`, method: 'GET', needs: 'frame.read' })),
]

type State = {
  name: string
  code: 'unauthorized' | 'invalid_key'
  /** The number of statements that the refusal may cost. */
  statements: 0 | 1
  headers: () => Promise<Record<string, string>>
}

const good = newSecret()
const otherEnd = good.endsWith('0') ? '1' : '0'

/** The headers of calls that bring no key. */
const NO_KEY = {
  'no key': {},
  'an empty header': { authorization: '' },
  'Bearer alone': { authorization: 'Bearer' },
  'the scheme Basic': { authorization: `Basic ${good}` },
  'no scheme': { authorization: good },
  'another prefix': bearer(good.replace('svc_sk_', 'svc_pk_')),
  'a key in another header': { 'x-api-key': good },
}
/** Texts that are seen to be no keys. */
const BAD_KEYS = {
  'the prefix alone': 'svc_sk_',
  'a character too few': good.slice(0, -1),
  'a character too many': `${good}0`,
  'a wrong last character': good.slice(0, -1) + otherEnd,
  'two characters changed about': changedAbout(good),
  'a character of no key': good.replace(/.$/, '-'),
  'two keys in one header': `${good}, ${good}`,
  'ten thousand characters': `svc_sk_${'a'.repeat(10_000)}`,
}
/** What happened to a good key. */
const SPOILT = {
  'that was never minted': undefined,
  'that expires at this very instant': `with instant as (select clock_timestamp() as at)
    update api_key set expires_at = at, created_at = at - interval '7 days' from instant where key_id = $1::text`,
  'that expired long ago': `update api_key
    set expires_at = now() - interval '1 year', created_at = now() - interval '400 days' where key_id = $1::text`,
  'revoked at this very instant': 'update api_key set revoked_at = clock_timestamp() where key_id = $1::text',
  'that is not there any more': 'delete from api_key where key_id = $1::text',
  'whose organisation is gone': `delete from organisation
    where org_id = (select org_id from api_key where key_id = $1::text)`,
}
const states: State[] = [
  ...Object.entries(NO_KEY).map(([name, headers]): State => {
    return { name, code: 'unauthorized', statements: 0, headers: async () => headers }
  }),
  ...Object.entries(BAD_KEYS).map(([name, text]): State => {
    return { name, code: 'invalid_key', statements: 0, headers: async () => bearer(text) }
  }),
  ...Object.entries(SPOILT).map(([what, change]): State => {
    const headers = async () => {
      if (change === undefined) return bearer(newSecret())
      const { secret, keyId } = await mint(service().db)
      await service().db.rows(change, [keyId])
      return bearer(secret)
    }
    return { name: `a key ${what}`, code: 'invalid_key', statements: 1, headers }
  }),
]

function changedAbout(secret: string): string {
  const at = Array.from(secret).findIndex((character, i) => i >= 7 && character !== secret[i + 1])
  return secret.slice(0, at) + secret[at + 1] + secret[at] + secret.slice(at + 2)
}

describe('access to the calls', function () {
  this.timeout(60_000)
  let watched: Service & { stop: () => Promise<void> }
  let sent: string[]

  before(async () => {
    watched = await startService(service().database, { watch: (text) => sent.push(text) })
  })
  after(() => watched.stop())
  beforeEach(() => (sent = []))

  const refuses = async (call: string, { code, statements }: State, headers: Record<string, string>) => {
    sent = []
    const answer = await send(call, { url: watched.url }, headers)
    assert.equal(answer.status, 401, call)
    if (!call.startsWith('HEAD')) assert.equal(refusalOf(answer).outcome, `401 ${code}`, call)
    const challenge = `Bearer realm="frames"${code === 'unauthorized' ? '' : ', error="invalid_token"'}`
    assert.equal(answer.headers.get('www-authenticate'), challenge)
    assert.equal(answer.headers.get('ratelimit'), null, 'nothing was metered')
    assert.deepEqual(sent, Array(statements).fill(keyAuthority.text), call)
  }
  for (const state of states) {
    it(`${state.name}: 401 ${state.code} on every call, and no data is read`, async () => {
      const headers = await state.headers()
      for (const { call } of calls) await refuses(call, state, headers)
      await refuses('HEAD /v1/states', state, headers)
      await refuses('TOOL frame_at {"lat":0.105,"lon":0.205}', state, headers)
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
    it(`${name}: answered where it suffices, and elsewhere 403, before parameters are looked at and without reading data`, async () => {
      const { db } = service()
      const { secret, keyId } = await mint(db)
      await db.rows('update api_key set capabilities = $2::text[] where key_id = $1::text', [keyId, capabilities])
      for (const { call, needs } of calls) {
        sent = []
        const answer = await send(call, { url: watched.url, secret })
        assert.match(answer.headers.get('ratelimit') ?? '', /^"key";r=\d+;t=1$/)
        if (capabilities.includes(needs)) {
          assert.ok([200, 400, 404].includes(answer.status), `${call}: ${answer.status}`)
          continue
        }
        const { code, message } = insufficientScope(needs, presetsWith(needs as 'frame.read'))
        assert.deepEqual(refusalOf(answer), { outcome: `403 ${code}`, message }, call)
        const challenge = `Bearer realm="frames", error="insufficient_scope", scope="${needs}"`
        assert.equal(answer.headers.get('www-authenticate'), challenge)
        assert.deepEqual(sent, [keyAuthority.text], call)
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
