/** Reads the settings of the OpenID provider, and the roles that a claim gives by them. */
import { isPublicUrl } from '../../core/origin.js'
import { readSettings, type Settings, type SettingsSource } from '../../core/settings/index.js'
import { mayAs, type Role } from '../../core/access/index.js'

export type OpenIdSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The button shows this name. */
  name: string
  scope: string
  /** Undefined: people join by invitation only. */
  roleClaim: RoleClaim | undefined
}

export const OPENID_SETTINGS = {
  OIDC_ISSUER: {
    meaning: 'the OpenID provider with which people sign in to the web app',
    unset: 'people sign in by link',
    accepts:
      'https:// and a host are accepted, such as https://login.example.org/realms/main, or http:// on this machine',
    read: (text) => (isPublicUrl(text) ? text : undefined),
  },
  OIDC_CLIENT_ID: {
    meaning: 'the name of the app at the provider',
    unset: 'needed with `OIDC_ISSUER`',
  },
  OIDC_CLIENT_SECRET: {
    meaning: 'the secret of the app at the provider',
    unset: 'needed with `OIDC_ISSUER`',
    isSecret: true,
  },
  OIDC_NAME: { meaning: 'the name of the provider on the button', unset: 'the host of the issuer' },
  OIDC_SCOPE: {
    meaning: 'what the app asks of the provider',
    unset: '`openid profile email`',
    accepts: 'it must hold the word openid',
    read: (text) => (text.split(' ').includes('openid') ? text : undefined),
  },
  OIDC_ROLE_CLAIM: {
    meaning: 'the claim that gives roles: [sign-in.md](sign-in.md#roles-by-a-claim)',
    unset: 'people join by invitation',
  },
  OIDC_ROLES: {
    meaning: 'the role for each value of that claim',
    unset: 'needed with `OIDC_ROLE_CLAIM`',
    between: ';',
    skipsBlanks: true,
    accepts:
      'VALUE=ORGANISATION/ROLE is accepted, such as gis-admins=org_4fT2kQ9aZx81/admin, and semicolons between several',
    read: readGrant,
  },
} as const satisfies Settings

const MICROSOFT_SHARED = /^https:\/\/login\.microsoftonline\.(?:com|us)\/(?:common|organizations|consumers)(?:\/|$)/i

/** Adds each mistake to the list. Undefined where no provider is configured. */
export function openIdSettings(source: SettingsSource): OpenIdSettings | undefined {
  const { given, mistakes } = source
  const { OIDC_ISSUER: issuer = '', ...read } = readSettings(OPENID_SETTINGS, source)
  if (!given.has('OIDC_ISSUER')) {
    const isAny = Object.keys(OPENID_SETTINGS).some((name) => given.has(name))
    if (isAny) mistakes.push('the settings OIDC_... need OIDC_ISSUER')
    return undefined
  }
  if (MICROSOFT_SHARED.test(issuer))
    mistakes.push(
      `OIDC_ISSUER is "${issuer}", which people of every tenant share; the address of your tenant is accepted, such as https://login.microsoftonline.com/TENANT/v2.0`,
    )
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read
  if (clientId === undefined) mistakes.push('OIDC_ISSUER needs OIDC_CLIENT_ID beside it')
  if (clientSecret === undefined) mistakes.push('OIDC_ISSUER needs OIDC_CLIENT_SECRET beside it')
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: grants } = read
  if ((claim === undefined) !== (grants === undefined)) mistakes.push('OIDC_ROLE_CLAIM and OIDC_ROLES need each other')
  return {
    issuer,
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    name: read.OIDC_NAME ?? (URL.canParse(issuer) ? new URL(issuer).host : issuer),
    scope: read.OIDC_SCOPE ?? 'openid profile email',
    roleClaim: claim === undefined || grants === undefined ? undefined : { claim, grants },
  }
}

/** A value may hold commas and "=", as the names of a directory do (CN=Admins,OU=Maps): the last "=" counts. */
function readGrant(text: string): RoleClaim['grants'][number] | undefined {
  const [, value, orgId, role] = /^(.+?) *= *(org_[0-9A-Za-z]{12})\/(owner|admin|member)$/.exec(text) ?? []
  return value !== undefined && orgId !== undefined ? { value, orgId, role: role as Role } : undefined
}

export type RoleClaim = {
  /** The name of the claim or, where no claim has that name, a path with dots into the claims. */
  claim: string
  /** The memberships that each value gives. */
  grants: readonly { value: string; orgId: string; role: Role }[]
}

/** Returns the role in each organisation. Where several values give one, the highest counts. */
export function rolesOf(claims: Readonly<Record<string, unknown>>, { claim, grants }: RoleClaim): Map<string, Role> {
  const values = claimValues(claims, claim)
  const roles = new Map<string, Role>()
  for (const { value, orgId, role } of grants) {
    const known = roles.get(orgId)
    if (values.includes(value) && (!known || mayAs(role, known))) roles.set(orgId, role)
  }
  return roles
}

/** A claim holds one text or a list of texts. Auth0 names claims like URLs, and those hold dots. */
function claimValues(claims: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce(memberOf, claims as unknown)
  return Array.isArray(found) ? found : [found]
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
