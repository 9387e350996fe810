/** An OpenID provider that answers wrongly, in the one way that a test chooses. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OpenIdSettings } from '../../src/app/openid/settings.js'
import { once } from './once.js'

/** How its answers differ from right ones. Nothing set: it answers rightly. */
export type Faults = {
  /** Replaces members of the ID token. `undefined` leaves a member out. */
  token?: Record<string, unknown>
  alg?: 'none' | 'HS256'
  /** Signs with a key that the provider does not publish. */
  foreignKey?: boolean
  /** Replaces members of the metadata. */
  metadata?: Record<string, unknown>
  userinfo?: Record<string, unknown>
  /** The `iss` of the address that leads back. */
  iss?: string
  /** Answers at these paths by a handler of the test. */
  at?: Record<string, (req: IncomingMessage, res: ServerResponse) => void>
}

export type FalseProvider = { settings: OpenIdSettings; faults: { now: Faults }; stop: () => Promise<void> }

const CLIENT_ID = 'frames'
const SECRET = 'a secret of forty characters, at the least'
const CODE = 'code'

export async function startFalseProvider(): Promise<FalseProvider> {
  const faults: FalseProvider['faults'] = { now: {} }
  const seen = { nonce: '' }
  const server = createServer((req, res) => {
    const issuer = `http://${req.headers.host}`
    const { pathname, searchParams } = new URL(req.url ?? '', issuer)
    const handler = faults.now.at?.[pathname]
    if (handler) return handler(req, res)
    if (pathname === '/auth') return lead(res, searchParams)
    const answer = answers(issuer)[pathname]
    res.setHeader('Content-Type', 'application/json')
    res.writeHead(answer ? 200 : 404).end(JSON.stringify(answer?.() ?? {}))
  })
  function lead(res: ServerResponse, asked: URLSearchParams): void {
    seen.nonce = asked.get('nonce') ?? ''
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({
      code: CODE,
      state: asked.get('state') ?? '',
      iss: faults.now.iss ?? new URL(address()).origin,
    }).toString()
    res.writeHead(303, { Location: back.href }).end()
  }
  const answers = (issuer: string): Record<string, () => unknown> => ({
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
      ...faults.now.metadata,
    }),
    '/jwks': () => ({
      keys: [{ ...keys()[0].publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
    }),
    '/token': () => ({ access_token: 'access', token_type: 'Bearer', id_token: idToken(issuer) }),
    '/me': () => ({ sub: 'ada', name: 'Ada', ...faults.now.userinfo }),
  })
  function idToken(issuer: string): string {
    const { alg = 'RS256', token, foreignKey = false } = faults.now
    const seconds = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, sub: 'ada', aud: CLIENT_ID, iat: seconds, exp: seconds + 300, nonce: seen.nonce }
    const signed = `${encoded({ alg, kid: 'one' })}.${encoded({ ...claims, ...token })}`
    if (alg === 'none') return `${signed}.`
    if (alg === 'HS256') return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`
    const key = keys()[foreignKey ? 1 : 0].privateKey
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
  }
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    settings: {
      issuer: address(),
      clientId: CLIENT_ID,
      clientSecret: SECRET,
      name: 'Keyhouse',
      scope: 'openid',
      roleClaim: undefined,
    },
    faults,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = once(() => [newKey(), newKey()] as const)

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
