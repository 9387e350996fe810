/** Reads the settings of the OpenID provider, and the roles that a claim gives by them. */
import { isPublicUrl } from '../../core/origin.js'
import { readSecret, valueIn, type SettingsSource } from '../../core/settings/source.js'
import { mayAs, type Role } from '../../core/access/roles.js'

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

const NAMES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_NAME', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES', 'OIDC_SCOPE'] as const

const MICROSOFT_SHARED = /^https:\/\/login\.microsoftonline\.(?:com|us)\/(?:common|organizations|consumers)(?:\/|$)/i

/** Adds each mistake to the list. Undefined where no provider is configured. */
export function openIdSettings(source: SettingsSource): OpenIdSettings | undefined {
  const { mistakes } = source
  const [issuer, clientId, name, claim, roles, scopes] = NAMES.map((each) => valueIn(source, each))
  const clientSecret = readSecret(source, 'OIDC_CLIENT_SECRET')
  if (issuer === undefined) {
    const others = [clientId, clientSecret, name, claim, roles, scopes]
    if (others.some((text) => text !== undefined)) mistakes.push('the settings OIDC_... need OIDC_ISSUER')
    return undefined
  }
  const scope = scopes ?? 'openid profile email'
  if (!isPublicUrl(issuer))
    mistakes.push(
      `OIDC_ISSUER is "${issuer}"; https:// and a host are accepted, such as https://login.example.org/realms/main, or http:// on this machine`,
    )
  if (MICROSOFT_SHARED.test(issuer))
    mistakes.push(
      `OIDC_ISSUER is "${issuer}", which people of every tenant share; the address of your tenant is accepted, such as https://login.microsoftonline.com/TENANT/v2.0`,
    )
  if (clientId === undefined) mistakes.push('OIDC_ISSUER needs OIDC_CLIENT_ID beside it')
  if (clientSecret === undefined) mistakes.push('OIDC_ISSUER needs OIDC_CLIENT_SECRET beside it')
  if (!scope.split(' ').includes('openid')) mistakes.push(`OIDC_SCOPE is "${scope}"; it must hold the word openid`)
  if ((claim === undefined) !== (roles === undefined)) mistakes.push('OIDC_ROLE_CLAIM and OIDC_ROLES need each other')
  const roleClaim =
    claim === undefined || roles === undefined ? undefined : { claim, grants: readGrants(roles, mistakes) }
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer
  return { issuer, clientId: clientId ?? '', clientSecret: clientSecret ?? '', name: name ?? host, scope, roleClaim }
}

/** A value may hold commas and "=", as the names of a directory do (CN=Admins,OU=Maps): the last "=" counts. */
function readGrants(text: string, mistakes: string[]): RoleClaim['grants'] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [, value, orgId, role] = /^(.+?) *= *(org_[0-9A-Za-z]{12})\/(owner|admin|member)$/.exec(part) ?? []
      if (value !== undefined && orgId !== undefined) return [{ value, orgId, role: role as Role }]
      mistakes.push(
        `OIDC_ROLES has "${part}"; VALUE=ORGANISATION/ROLE is accepted, such as gis-admins=org_4fT2kQ9aZx81/admin, and semicolons between several`,
      )
      return []
    })
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
