/** Maps the values of a claim, such as the groups of a person, to organisations and roles. */
import { mayAs, type Role } from '../../core/access/roles.js'

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
