/** Asks the OpenID provider who a person is: authorization code flow with PKCE, state and nonce. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type ServerMetadata,
} from 'openid-client'
import { isLoopback } from '../../core/origin.js'
import type { OpenIdSettings } from './settings.js'
import { describeFault, ProviderFault } from './fault.js'
import { boundedFetch, isSafeUrl } from './fetch.js'

/** The app checks the callback against these. The browser sees the state and the nonce, and never the verifier. */
export type Checks = { state: string; nonce: string; verifier: string }

/** `subject` identifies the person at the issuer. The claims come from the ID token and from userinfo. */
export type ProvedIdentity = { issuer: string; subject: string; claims: Readonly<Record<string, unknown>> }

export type Provider = Pick<OpenIdSettings, 'name' | 'roleClaim'> & {
  /** The address at the provider to which the browser goes, and what its answer must match. */
  begin: (redirectUri: string) => Promise<{ url: string; checks: Checks }>
  /** `callbackUrl` is the address to which the provider sent the browser back, with all its parameters. */
  finish: (callbackUrl: URL, checks: Checks) => Promise<ProvedIdentity>
}

/** OpenID Connect Core, section 2: a subject has at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
/** The clocks of two machines may differ by so much. */
const CLOCK_SECONDS = 60
/** A provider changes its addresses seldom, and its keys are read at every sign-in. */
const METADATA_MS = 3_600_000
/** All requests of one step: a request of the app has ten seconds, and the database needs some of them. */
const STEP_MS = 6000

export function openProvider(settings: OpenIdSettings, stepMs = STEP_MS): Provider {
  const { name, roleClaim, scope } = settings
  const metadataOf = metadataCache(settings)
  const step = async <Answer>(work: (config: Configuration) => Promise<Answer>): Promise<Answer> => {
    const { fetch, release } = boundedFetch(stepMs)
    try {
      const config = configure(settings, await metadataOf(fetch))
      config[customFetch] = fetch
      return await work(config)
    } catch (fault) {
      throw describeFault(fault)
    } finally {
      release()
    }
  }
  return {
    name,
    roleClaim,
    begin: (redirectUri) =>
      step(async (config) => {
        const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
        const url = buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        })
        if (!isSafeUrl(url.href)) throw new ProviderFault('invalid', 'the authorization endpoint is not https')
        return { url: url.href, checks }
      }),
    finish: (callbackUrl, checks) => step((config) => exchangeCode(config, callbackUrl, checks)),
  }
}

async function exchangeCode(config: Configuration, callbackUrl: URL, checks: Checks): Promise<ProvedIdentity> {
  const tokens = await authorizationCodeGrant(config, callbackUrl, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new ProviderFault('invalid', 'an answer without an ID token')
  if (!SUBJECT.test(claims.sub)) throw new ProviderFault('invalid', 'a subject that is not ASCII, or too long')
  const { userinfo_endpoint: userinfo } = config.serverMetadata()
  // Many providers put name, e-mail and groups there only. The library checks that it is about the same subject.
  const more = userinfo === undefined ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub)
  return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
}

/** The provider is asked at the first sign-in, not at the start: the service starts while the provider is away. */
function metadataCache(settings: OpenIdSettings) {
  let known: { metadata: ServerMetadata; until: number } | undefined
  return async (fetch: ReturnType<typeof boundedFetch>['fetch']): Promise<ServerMetadata> => {
    if (known && performance.now() < known.until) return known.metadata
    const { issuer, clientId } = settings
    const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
      [customFetch]: fetch,
      execute: insecureOnLoopback(issuer),
    })
    const metadata = found.serverMetadata()
    // The library excepts the shared addresses of Microsoft: there, people of every tenant would get in.
    if (new URL(metadata.issuer).href !== new URL(issuer).href)
      throw new ProviderFault('invalid', `the provider names itself ${metadata.issuer}`)
    known = { metadata, until: performance.now() + METADATA_MS }
    return metadata
  }
}

function configure({ issuer, clientId, clientSecret }: OpenIdSettings, metadata: ServerMetadata): Configuration {
  const client = { client_secret: clientSecret, [clockTolerance]: CLOCK_SECONDS }
  const config = new Configuration(metadata, clientId, client, secretSender(metadata, clientSecret))
  // By default the library trusts TLS for an ID token that comes straight from the provider. This checks its signature.
  enableNonRepudiationChecks(config)
  for (const allow of insecureOnLoopback(issuer)) allow(config)
  return config
}

/** A provider that lists no methods takes the secret in the Authorization header. */
function secretSender({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, secret: string): ClientAuth {
  return methods?.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

const insecureOnLoopback = (issuer: string) => {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'http:' && isLoopback(hostname) ? [allowInsecureRequests] : []
}
