import assert from 'node:assert/strict'
import { openProvider } from '../../src/app/openid/provider.js'
import { visit } from '../support/browse.js'
import { startFalseProvider, type FalseProvider, type Faults } from '../support/false-provider.js'
import { askProvider, whatWasMade } from '../support/openid-provider.js'
import { service, startService } from '../support/service.js'
import { organisation, type Organisation } from './organisation.js'

type Handler = NonNullable<Faults['at']>[string]

const LONG = 'a'.repeat(300)
const ELSEWHERE = 'https://login.example.org'
const seconds = (from: number) => Math.floor(Date.now() / 1000) + from

describe('an OpenID provider that answers wrongly', () => {
  let org: Organisation
  let provider: FalseProvider
  let running: Awaited<ReturnType<typeof startService>>
  const lines: string[] = []

  before(async () => (org = await organisation()))

  const start = async () => {
    provider = await startFalseProvider()
    running = await startService(service().database, {
      publicUrl: 'listening',
      openId: provider.settings,
      logged: (line) => lines.push(line),
    })
  }
  const stop = async () => {
    await running.stop()
    await provider.stop()
  }

  /** Signs in by a new invitation while the provider has these faults. */
  async function signIn(faults: Faults) {
    provider.faults.now = faults
    const visitor = visit(running.url)
    const link = await org.link()
    const before = await whatWasMade(service().database)
    lines.length = 0
    const begun = await visitor.get(`/app/sign-in/openid?t=${link}`)
    if (begun.status !== 303) return { answer: begun, before, visitor }
    const back = await askProvider(visitor, `/app/sign-in/openid?t=${link}`, running.url)
    return { answer: await visitor.get(back), before, visitor }
  }

  async function refuses(faults: Faults, status: number, logged: RegExp): Promise<void> {
    const { answer, before, visitor } = await signIn(faults)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, /<h1>[^<]*Keyhouse/)
    assert.deepEqual(await whatWasMade(service().database), before)
    assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
    const warned = lines.filter((line) => line.includes('OpenID provider'))
    assert.equal(warned.length, 1, lines.join('\n'))
    assert.match(warned[0] ?? '', logged)
    assert.doesNotMatch(warned[0] ?? '', /eyJ|a secret of forty/)
  }

  describe('in its tokens', () => {
    before(start)
    after(stop)

    it('signs a person in where it answers rightly, also with a clock that differs by less than a minute', async () => {
      for (const token of [{}, { iat: seconds(50), nbf: seconds(50) }, { exp: seconds(-50) }, { aud: ['frames'] }])
        assert.equal((await signIn({ token })).answer.status, 303)
    })

    for (const [what, faults, logged] of [
      ['another issuer', { token: { iss: ELSEWHERE } }, /JWT_CLAIM_COMPARISON/],
      ['another audience', { token: { aud: 'others' } }, /JWT_CLAIM_COMPARISON/],
      ['another nonce', { token: { nonce: 'x'.repeat(43) } }, /JWT_CLAIM_COMPARISON/],
      ['no nonce', { token: { nonce: undefined } }, /OAUTH_/],
      ['no subject', { token: { sub: undefined } }, /OAUTH_/],
      ['a subject of 300 characters', { token: { sub: LONG }, userinfo: { sub: LONG } }, /subject/],
      ['an end that has passed', { token: { exp: 1 } }, /JWT_TIMESTAMP/],
      ['a beginning to come', { token: { nbf: 9_000_000_000 } }, /JWT_TIMESTAMP/],
      ['an issue of 28 hours ahead', { token: { iat: seconds(28 * 3600) } }, /issued in the future/],
      ['an issue of two minutes ahead', { token: { iat: seconds(120) } }, /issued in the future/],
      ['the algorithm none', { alg: 'none' }, /OAUTH_/],
      ['a signature by the secret of the client', { alg: 'HS256' }, /OAUTH_/],
      ['a signature by a foreign key', { foreignKey: true }, /OAUTH_/],
      ['userinfo about another subject', { userinfo: { sub: 'eve' } }, /JSON_ATTRIBUTE_COMPARISON/],
      ['another issuer in its address', { iss: ELSEWHERE }, /OAUTH_INVALID_RESPONSE/],
    ] as const)
      it(`signs nobody in by an answer with ${what}`, () => refuses(faults, 502, logged))
  })

  describe('in what the service keeps of it', () => {
    // The service reads the metadata of a provider once an hour, so each test has its own.
    beforeEach(start)
    afterEach(stop)

    const DISCOVERY = '/.well-known/openid-configuration'
    const hangsUp: Handler = (_req, res) => void res.destroy()
    const leadsAway: Handler = (_req, res) => void res.writeHead(302, { Location: 'http://127.0.0.1:1' }).end()

    for (const [what, faults, status, logged] of [
      ['metadata that name another issuer', { metadata: { issuer: ELSEWHERE } }, 502, /issuer/],
      ['an endpoint without TLS', { metadata: { authorization_endpoint: 'http://a.org/auth' } }, 502, /not https/],
      ['an exchange without TLS', { metadata: { token_endpoint: 'http://a.org/token' } }, 502, /not https/],
      ['keys that lead elsewhere', { at: { '/jwks': leadsAway } }, 502, /OAUTH_/],
      ['a token that is no JSON', { at: { '/token': (_req, res) => res.end('<html>') } }, 502, /OAUTH_/],
      ['keys without end', { at: { '/jwks': (_req, res) => res.end('x'.repeat(600_000)) } }, 502, /over 500000 bytes/],
      ['a token that breaks', { at: { '/token': (_req, res) => void res.writeHead(500).end() } }, 503, /status 500/],
      ['a person that hangs up', { at: { '/me': hangsUp } }, 503, /UND_ERR_SOCKET/],
    ] as const satisfies readonly [string, Faults, number, RegExp][])
      it(`signs nobody in by ${what}`, () => refuses(faults, status, logged))

    it('is told to be away where it takes longer than a step may', async () => {
      provider.faults.now = { at: { [DISCOVERY]: (_req, res) => void res.writeHead(200).write('{') } }
      const begun = openProvider(provider.settings, 100).begin(`${running.url}/app/sign-in/openid/callback`)
      await assert.rejects(begun, { kind: 'away', message: /no answer in 100 ms/ })
    })

    it('is asked again after it was away', async () => {
      await refuses({ at: { [DISCOVERY]: hangsUp } }, 503, /ERR_SOCKET/)
      assert.equal((await signIn({})).answer.status, 303)
    })
  })
})
