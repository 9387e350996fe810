/** Mutants of roles, forms, sessions and links of the web app. */
import type { Mutant } from './mutant.js'

const CONSOLE = 'src/app/console.ts'
const LINK = 'src/app/sign-in/link.ts'
const SAME_ORIGIN = 'src/app/shell/csrf.ts'

export const webMutants: Mutant[] = [
  {
    breaks: 'a form of another site of the same domain is accepted',
    file: SAME_ORIGIN,
    from: "fetchSite === 'same-origin'",
    to: "fetchSite !== 'cross-site'",
    tests: ['web/origins'],
    grep: 'whatever Sec-Fetch-Site',
  },
  {
    breaks: 'a form needs a session, but no role',
    file: CONSOLE,
    from: 'refuseCrossSite, session, allow(least)',
    to: "refuseCrossSite, session, allow(least === 'anyone' ? least : 'member')",
    tests: ['web/matrix'],
    grep: 'use POST /members,',
  },
  {
    breaks: 'an admin may do what owners may',
    file: 'src/core/access/roles.ts',
    from: 'ROLES.indexOf(role) >= ROLES.indexOf(least)',
    to: 'ROLES.indexOf(role) >= Math.min(1, ROLES.indexOf(least))',
    tests: ['web/matrix'],
    grep: 'use POST /members,',
  },
  {
    breaks: 'a sign-out removes the cookie only',
    file: 'src/app/shell/sign-out.ts',
    from: 'if (req.visit.session) await endSession(req)\n  clearCookie',
    to: 'clearCookie',
    tests: ['web/attacks'],
    grep: 'stolen session after its sign-out',
  },
  {
    breaks: 'a person ends the sessions of others',
    file: 'src/core/access/sessions.ts',
    from: ".where('person_id', '=', personId)\n      .where(sql",
    to: '.where(sql',
    tests: ['web/sessions'],
    grep: 'ends any of them',
  },
  {
    breaks: 'an owner removes the members of another organisation',
    file: 'src/core/access/people.ts',
    from: ".deleteFrom('membership').where('person_id', '=', personId).where('org_id', '=', orgId)",
    to: ".deleteFrom('membership').where('person_id', '=', personId)",
    tests: ['web/attacks'],
    grep: 'changes nothing for the owner of another organisation',
  },
  {
    breaks: 'a link signs in again and again',
    file: LINK,
    from: ".where('used_at', 'is', null)",
    to: '',
    tests: ['web/links'],
    grep: 'works once',
  },
  {
    breaks: 'a link counts whose maker is no owner any more',
    file: LINK,
    from: 'either.exists(ownershipOfMaker), ',
    to: '',
    tests: ['web/withdrawn-links'],
    grep: 'during the removal',
  },
  {
    breaks: 'another browser finishes a sign-in',
    file: 'src/app/sign-in/attempt.ts',
    from: ".where(sql<string>`payload ->> 'browser'`, '=', browserHash(browser))",
    to: '',
    tests: ['web/openid'],
    // The account comes with the invitation.
    grep: 'takes an invitation|from the browser that began',
  },
  {
    breaks: 'a session lives on for ever where it is used',
    file: 'sql/web/session_holder.sql',
    from: 'and session.ends_at > clock_timestamp()',
    to: '',
    tests: ['web/sessions'],
    grep: 'has ended at its end',
  },
  {
    breaks: 'two owners who leave at once leave no owner',
    file: 'sql/functions/membership_keeps_owner.sql',
    from: 'perform from organisation where org_id = old.org_id for no key update;',
    to: 'perform from organisation where org_id = old.org_id;',
    tests: ['access/last-owner'],
    grep: 'which has looked already',
  },
  {
    breaks: 'a member who was removed comes back by a link that is left',
    file: 'sql/functions/membership_withdraws_links.sql',
    from: 'and (has_left or array_position(roles, role)',
    to: 'and (array_position(roles, role)',
    tests: ['web/withdrawn-links'],
    grep: 'comes back by no link',
  },
  {
    breaks: 'a page offers a link whose maker is no owner any more',
    file: 'sql/web/link_offered.sql',
    from: " and membership.role = 'owner'",
    to: '',
    tests: ['web/withdrawn-links'],
    grep: 'during the demotion',
  },
]
