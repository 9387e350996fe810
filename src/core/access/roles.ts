/** Members of an organisation have these roles. Each may do all that the roles before it may. */
import { wordValue } from '../values.js'

export const ROLES = ['member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export const mayAs = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least)

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)

const ROLE_NAMES: Readonly<Record<Role, string>> = { member: 'Member', admin: 'Admin', owner: 'Owner' }

export const roleValue = wordValue('ROLE', ROLES.toReversed())

export const roleName = (role: Role) => ROLE_NAMES[role]

/** Names the roles that may do it, such as "Admins and Owners". */
export const roleNames = (least: Role) =>
  ROLES.filter((role) => mayAs(role, least))
    .map((role) => `${ROLE_NAMES[role]}s`)
    .join(' and ')
