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
  AuthorizationResponseError,
  ResponseBodyError,
  type ClientAuth,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client'
import type { OpenIdSettings } from './settings.js'
import { abortAfter } from '../../core/deadline.js'
import { isLoopback } from '../../core/origin.js'

/** The app checks the callback against these. The browser sees the state and the nonce, and never the verifier. */
export type AttemptChecks = { state: string; nonce: string; verifier: string }

/** `subject` identifies the person at the issuer. The claims come from the ID token and from userinfo. */
export type ProvedIdentity = { issuer: string; subject: string; claims: Readonly<Record<string, unknown>> }

export type Provider = Pick<OpenIdSettings, 'name' | 'roleClaim'> & {
  /** The address at the provider to which the browser goes, and what its answer must match. */
  begin: (redirectUri: string) => Promise<{ url: string; checks: AttemptChecks }>
  /** `callbackUrl` is the address to which the provider sent the browser back, with all its parameters. */
  finish: (callbackUrl: URL, checks: AttemptChecks) => Promise<ProvedIdentity>
}

/** OpenID Connect Core, section 2: a subject has at most 255 ASCII characters. */
const SUBJECT_CLAIM = /^[\x20-\x7e]{1,255}$/
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
    const { fetch, release } = providerFetch(stepMs)
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

async function exchangeCode(config: Configuration, callbackUrl: URL, checks: AttemptChecks): Promise<ProvedIdentity> {
  const tokens = await authorizationCodeGrant(config, callbackUrl, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new ProviderFault('invalid', 'an answer without an ID token')
  // The library asks only that "iat" is there. A token of the future would outlive what its provider means it to.
  if (claims.iat > Date.now() / 1000 + CLOCK_SECONDS)
    throw new ProviderFault('invalid', 'an ID token issued in the future')
  if (!SUBJECT_CLAIM.test(claims.sub)) throw new ProviderFault('invalid', 'a subject that is not ASCII, or too long')
  const { userinfo_endpoint: userinfo } = config.serverMetadata()
  // Many providers put name, e-mail and groups there only. The library checks that it is about the same subject.
  const more = userinfo === undefined ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub)
  return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
}

/** The provider is asked at the first sign-in, not at the start: the service starts while the provider is away. */
function metadataCache(settings: OpenIdSettings) {
  let known: { metadata: ServerMetadata; until: number } | undefined
  return async (fetch: ReturnType<typeof providerFetch>['fetch']): Promise<ServerMetadata> => {
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

/** An ID token that lists a thousand groups has 50 kB. */
const PROVIDER_BYTES_MAX = 500_000

function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** All requests together have `ms`. `release` stops the timer. */
function providerFetch(ms: number): { fetch: CustomFetch; release: () => void } {
  const { signal, release } = abortAfter(ms)
  const request: CustomFetch = async (url, { method, headers, body }) => {
    if (!isSafeUrl(url)) throw new ProviderFault('invalid', 'an endpoint of the provider is not https')
    try {
      const response = await fetch(url, {
        method,
        headers,
        body: (body ?? null) as BodyInit | null,
        redirect: 'manual',
        signal,
      })
      if (response.status >= 500) throw new ProviderFault('away', `status ${response.status}`)
      const { status, headers: received } = response
      return new Response(hasBody(status) ? await readProviderBody(response) : null, { status, headers: received })
    } catch (fault) {
      if (fault instanceof ProviderFault) throw fault
      throw new ProviderFault('away', signal.aborted ? `no answer in ${ms} ms` : networkCode(fault))
    }
  }
  return { fetch: request, release }
}

/** A Response with one of these must not have a body. */
const hasBody = (status: number) => status !== 204 && status !== 205 && status !== 304

async function readProviderBody(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > PROVIDER_BYTES_MAX) throw new ProviderFault('invalid', `an answer over ${PROVIDER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Such as ECONNREFUSED: fetch itself says no more than "fetch failed". */
function networkCode(fault: unknown): string {
  const { code } = (fault as { cause?: { code?: unknown } }).cause ?? {}
  return typeof code === 'string' ? code : 'no connection'
}

/**
 * `away`: it does not answer, or not in time. `refused`: it answered that the person does not sign in. `invalid`: its
 * answer fails a check.
 */
type FaultKind = 'away' | 'refused' | 'invalid'

export class ProviderFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The library wraps faults in faults. The message holds codes only: texts of the provider may hold tokens. */
function describeFault(thrown: unknown): Error {
  const chain = causesOfFault(thrown)
  const known = chain.find((fault) => fault instanceof ProviderFault)
  if (known) return known
  for (const fault of chain) {
    // The provider refuses by these codes, such as access_denied or, for a code that was used, invalid_grant.
    if (fault instanceof AuthorizationResponseError || fault instanceof ResponseBodyError)
      return new ProviderFault('refused', /^[\w.-]{1,60}$/.test(fault.error) ? fault.error : 'an unknown code')
  }
  const code = chain.map((fault) => (fault as { code?: unknown }).code).find((each) => typeof each === 'string')
  if (code === undefined) return chain[0] ?? new Error('an unknown fault')
  return new ProviderFault('invalid', `${code}: ${chain.map(({ message }) => message).join(': ')}`)
}

/** Returns the fault, its cause, the cause of that, and so on. */
function causesOfFault(thrown: unknown): Error[] {
  const chain: Error[] = []
  for (let fault = thrown; fault instanceof Error && chain.length < 5; fault = fault.cause) chain.push(fault)
  return chain
}
