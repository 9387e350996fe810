/** Starts oidc-provider, a certified OpenID provider, on this machine. It asks no password: a test chooses the person. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'
import type { OpenIdSettings } from '../../src/app/openid/settings.js'
import { visit, type Visitor } from './browse.js'
import type { TestDatabase } from './database.js'

type Claims = Record<string, unknown>

export type OpenIdProvider = {
  settings: OpenIdSettings
  /** The claims by subject. */
  people: Map<string, Claims>
  /** The subject that the next sign-in is for. Undefined: the person says no. */
  chosen: { subject: string | undefined }
  /** Begins to answer, for a client with this address to come back to. */
  register: (redirectUri: string) => void
  stop: () => Promise<void>
}

const CLIENT = { id: 'frames', secret: 'a secret of forty characters, at the least' }

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  muteAdvice()
  const { default: Made } = await import('oidc-provider')
  const people = new Map<string, Claims>()
  const chosen: OpenIdProvider['chosen'] = { subject: undefined }
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      name: 'Keyhouse',
      scope: 'openid profile email groups',
      roleClaim: undefined,
    },
    people,
    chosen,
    register: (redirectUri) =>
      void server.on('request', answerAs(new Made(issuer, configuration(people, redirectUri)), chosen)),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function answerAs(provider: Provider, chosen: OpenIdProvider['chosen']): RequestListener {
  const answer = provider.callback()
  return (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void answer(req, res)
    const { subject } = chosen
    const result = subject === undefined ? { error: 'access_denied' } : { login: { accountId: subject } }
    void provider.interactionFinished(req, res, result)
  }
}

function configuration(people: Map<string, Claims>, redirectUri: string): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    cookies: { keys: ['a key of the cookies'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject) }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'one' }] },
    // Everybody has agreed that the client reads the claims.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
  }
}

/** oidc-provider advises those who run it for others, and warns of every Node before 22. */
function muteAdvice(): void {
  for (const level of ['info', 'warn'] as const) {
    const print = console[level]
    console[level] = (...texts: unknown[]) => {
      if (!String(texts[0]).startsWith('oidc-provider ')) print(...texts)
    }
  }
}

/** Follows the redirects from a page of the app to the provider, and returns the address that leads back. */
export async function askProvider(visitor: Visitor, path: string, app: string): Promise<string> {
  let address = (await visitor.get(path)).headers.location ?? ''
  const atProvider = visit(new URL(address).origin)
  for (let i = 0; i < 6 && !address.startsWith(app); i += 1) {
    const { pathname, search, origin } = new URL(address)
    const { headers } = await atProvider.get(pathname + search)
    address = new URL(headers.location ?? '', origin).href
  }
  return address.slice(app.length)
}

/** How many of each there are: a sign-in that is refused makes none. */
export async function whatWasMade({ db }: TestDatabase): Promise<Record<string, number>> {
  const [row] = await db.rows<Record<string, number>>(
    `select (select count(*) from person)::int as people, (select count(*) from membership)::int as members,
       (select count(*) from session)::int as sessions, (select count(*) from key_event)::int as events,
       (select count(*) from sign_in_link where used_at is not null)::int as "usedLinks"`,
    [],
  )
  return row ?? {}
}
