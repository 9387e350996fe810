/** The pages of the navigation, in its order, and the least role that may open each. */
import { mayAs, type Role } from './roles.js'

export type Section = {
  path: string
  title: string
  least: Role
  group: 'Explore' | 'Developers' | 'Organisation' | 'You'
}

const sections: readonly Section[] = [
  { path: '/map', title: 'Map', least: 'member', group: 'Explore' },
  { path: '/ask', title: 'Ask', least: 'member', group: 'Explore' },
  { path: '/keys', title: 'Keys', least: 'admin', group: 'Developers' },
  { path: '/events', title: 'Events', least: 'admin', group: 'Developers' },
  { path: '/usage', title: 'Usage', least: 'admin', group: 'Organisation' },
  { path: '/credits', title: 'Credits', least: 'admin', group: 'Organisation' },
  { path: '/members', title: 'Members', least: 'owner', group: 'Organisation' },
  { path: '/account', title: 'Account', least: 'member', group: 'You' },
]

export const sectionsFor = (role: Role) => sections.filter(({ least }) => mayAs(role, least))

/** The page that a person sees first. */
export const firstPath = (role: Role) => sectionsFor(role)[0]?.path ?? '/account'
