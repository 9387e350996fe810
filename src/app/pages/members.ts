/** GET /app/members: lists the people of the organisation with their roles, and the open invitations. */
import type { Request, RequestHandler } from 'express'
import type { InvitationRow, MemberRow } from '../shell/rows.js'
import {
  type Column,
  confirmation,
  copyable,
  dayOf,
  distance,
  exactInstant,
  option,
  table,
  tableSection,
} from '../shell/components.js'
import { chosen, type Filled, offered, optional, typed } from '../shell/fields.js'
import { type Html, html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { invitationsOpen, membersOfOrganisation } from '../shell/statements.js'
import { roleName, ROLES, roleValue } from '../../core/access/index.js'
import { emailValue, textValue, wholeNumber } from '../../core/values.js'

const CREDITS_A_DAY_MOST = 999_999_999

export const invitationFields = {
  name: typed(textValue('NAME', 100), { label: 'Name', required: true }),
  email: optional(
    typed(emailValue, {
      label: 'E-mail',
      type: 'email',
      hint: 'Optional. The service sends no mail: you send the link.',
    }),
  ),
  role: chosen(roleValue, {
    label: 'Role',
    options: ROLES.map((value) => ({ value, label: roleName(value) })),
    hint: 'Members see the map and the catalogue, ask questions, and may spend credits and worded answers. Admins mint keys and see usage. Owners change members too.',
  }),
}
export const roleFields = { role: chosen(roleValue) }
/** Blank for all credits of the organisation. */
export const limitFields = { credits: optional(chosen(wholeNumber('CREDITS', 0, CREDITS_A_DAY_MOST))) }

const blankInvitation = offered({ role: 'member' })

export const membersRoute: RequestHandler = async (req, res) => sendPage(res, await membersPage(req))

/** `link`: the address of the link that was just made. Only this answer shows it. */
export async function membersPage(req: Request, invitation = blankInvitation, link?: string): Promise<PageContent> {
  const { orgId, orgName, personId } = sessionOf(req)
  const { db } = req.visit
  const [members, invitations] = await Promise.all([membersOfOrganisation(db, orgId), invitationsOpen(db, orgId)])
  const path = `${req.visit.place.app}/members`
  return {
    title: 'Members',
    section: '/members',
    faults: invitation.faults,
    body: html`
      ${link !== undefined && linkCard(link)}
      <section>
        <p class="quiet">${orgName} has ${members.length === 1 ? 'one member' : `${members.length} members`}.</p>
        ${table('Members', memberColumns(path, personId), members)}
      </section>
      ${tableSection('Open links', 'Open links', invitationColumns(path), invitations)}
      ${inviteSection(invitation, path)}
    `,
  }
}

const linkCard = (link: string): Html =>
  html`<section class="panel" role="status">
    <h2>Send this link</h2>
    <p>It signs one person in, once, within 24 hours. It is shown this once.</p>
    ${copyable('invitation-link', link)}
  </section>`

const memberColumns = (path: string, ownId: string): Column<MemberRow>[] => [
  {
    heading: 'Name',
    width: 'wide',
    cell: ({ name, email, personId }) =>
      html`${name}${personId === ownId && html` <span class="quiet">(you)</span>`}${
        email !== null && html`<br /><span class="quiet">${email}</span>`
      }`,
  },
  { heading: 'Role', cell: (member) => roleForm(member, path) },
  { heading: 'Credits a day', cell: (member) => limitForm(member, path) },
  { heading: 'Joined', cell: ({ joinedAt }) => dayOf(joinedAt) },
  { heading: 'Last seen', cell: ({ seenAt }) => (seenAt ? distance(seenAt) : 'no session') },
  { heading: 'Action', cell: (member) => html`${newLink(member, path)} ${removal(member, path, ownId)}` },
]

const roleForm = ({ personId, name, role }: MemberRow, path: string): Html =>
  html`<form class="row" method="post" action="${path}/${personId}/role">
    <select name="role" aria-label="Role of ${name}">
      ${ROLES.map((each) => option(each, roleName(each), each === role))}
    </select>
    <button class="plain">Change</button>
  </form>`

const limitForm = ({ personId, name, dailyCredits }: MemberRow, path: string): Html =>
  html`<form class="row" method="post" action="${path}/${personId}/limit">
    <input
      class="few"
      name="credits"
      value="${dailyCredits === null ? '' : String(dailyCredits)}"
      inputmode="numeric"
      pattern="[0-9]{0,9}"
      maxlength="9"
      placeholder="all"
      autocomplete="off"
      aria-label="Credits a day of ${name}"
    />
    <button class="plain">Set</button>
  </form>`

/** A session ends after seven days: a member without a passkey then needs another link. */
const newLink = ({ personId, name }: MemberRow, path: string): Html =>
  confirmation({
    label: 'New sign-in link',
    question: html`The link signs whoever has it in as <strong>${name}</strong>, once, within 24 hours.`,
    action: `${path}/${personId}/link`,
    button: 'Make the link',
  })

const removal = ({ personId, name }: MemberRow, path: string, ownId: string): Html =>
  confirmation({
    label: personId === ownId ? 'Leave' : 'Remove',
    question:
      personId === ownId
        ? 'You lose access to this organisation at once. Its keys stay.'
        : html`<strong>${name}</strong> loses access at once. Keys that ${name} minted stay.`,
    action: `${path}/${personId}/remove`,
    button: personId === ownId ? 'Leave the organisation' : 'Remove the member',
  })

const invitationColumns = (path: string): Column<InvitationRow>[] => [
  { heading: 'For', cell: ({ name, email }) => name ?? email ?? 'not named' },
  { heading: 'Link', cell: ({ isOfPerson }) => (isOfPerson ? 'new sign-in link' : 'invitation') },
  { heading: 'Role', cell: ({ role }) => roleName(role) },
  { heading: 'Made by', cell: ({ madeBy }) => madeBy ?? 'the operator' },
  { heading: 'Made', cell: ({ madeAt }) => exactInstant(madeAt) },
  { heading: 'Ends', cell: ({ validUntil }) => distance(validUntil) },
  {
    heading: 'Action',
    cell: ({ invitationId }) =>
      html`<form method="post" action="${path}/invitations/${invitationId}/withdraw">
        <button class="plain">Withdraw</button>
      </form>`,
  },
]

const inviteSection = (form: Filled, path: string): Html =>
  html`<section class="panel narrow">
    <h2>Invite somebody</h2>
    <form class="form" method="post" action="${path}">
      ${Object.entries(invitationFields).map(([name, field]) => field.draw(form, name))}
      <button class="primary">Make a link</button>
    </form>
  </section>`
