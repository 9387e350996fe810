/** The pages of the navigation, in its order, and the least role that may open each. */
import { mayAs, type Role } from '../../core/access/roles.js'

type MenuGroup = 'Explore' | 'Developers' | 'Organisation' | 'Service' | 'You'

export type Section = { path: string; title: string; least: Role; group: MenuGroup; forOperators?: true }

const sections: readonly Section[] = [
  { path: '/map', title: 'Map', least: 'member', group: 'Explore' },
  { path: '/ask', title: 'Ask', least: 'member', group: 'Explore' },
  { path: '/datasets', title: 'Datasets', least: 'member', group: 'Explore' },
  { path: '/keys', title: 'Keys', least: 'admin', group: 'Developers' },
  { path: '/events', title: 'Events', least: 'admin', group: 'Developers' },
  { path: '/usage', title: 'Usage', least: 'admin', group: 'Organisation' },
  { path: '/credits', title: 'Credits', least: 'admin', group: 'Organisation' },
  { path: '/members', title: 'Members', least: 'owner', group: 'Organisation' },
  { path: '/health', title: 'Health', least: 'admin', group: 'Service', forOperators: true },
  { path: '/account', title: 'Account', least: 'member', group: 'You' },
]

/** The documentation of the API is no page of the app: its link ends this group, for everybody. */
export const DOCUMENTED: MenuGroup = 'Explore'

export const sectionsFor = (role: Role, isOfOperators: boolean) =>
  sections.filter(({ least, forOperators }) => mayAs(role, least) && (isOfOperators || !forOperators))

/** The page that a person sees first. */
export const firstPath = (role: Role) => sectionsFor(role, false)[0]?.path ?? '/account'
