/** GET /app/members: lists the people of the organisation with their roles, and the open invitations. */
import type { Request, RequestHandler } from 'express'
import { withDeadline } from '../../core/db/connect.js'
import {
  confirmation,
  copyable,
  distance,
  instant,
  selectInput,
  table,
  textInput,
  type Column,
} from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import type { Page } from '../shell/layout.js'
import { takeNotice } from '../shell/notice.js'
import { roleName, ROLES, type Role } from '../../core/access/roles.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { invitationsOpen, membersOfOrganisation, type InvitationRow, type MemberRow } from '../shell/statements.js'
import type { Web } from '../shell/web.js'

const NOTICES = {
  role: 'The role was changed. It holds from the next click of that person.',
  limit: 'The credits a day were set. They hold from the next question of that person.',
  removed: 'The member was removed, and signed out everywhere.',
  withdrawn: 'The invitation was withdrawn. Its link signs nobody in.',
}

/** An invitation as a person typed it, with a sentence for each field that is not right. */
export type InvitationForm = {
  name: string
  email: string
  role: Role
  faults: { name?: string; email?: string; role?: string }
}

export const blankForm: InvitationForm = { name: '', email: '', role: 'member', faults: {} }

export function membersRoute(web: Web): RequestHandler {
  return async (req, res) => sendPage(res, await membersPage(req, web, { form: blankForm }))
}

/** `link`: the address of the invitation that was just made. Only this answer shows it. */
type Shown = { form: InvitationForm; link?: string }

export async function membersPage(req: Request, { db }: Web, shown: Shown): Promise<Page> {
  const { orgId, orgName, personId } = sessionOf(req)
  const reads = withDeadline(db, req.context.deadline)
  const [members, invitations] = await Promise.all([membersOfOrganisation(reads, orgId), invitationsOpen(reads, orgId)])
  const path = `${req.visit.place.app}/members`
  return {
    title: 'Members',
    section: '/members',
    notice: takeNotice(req, NOTICES),
    faults: Object.entries(shown.form.faults).map(([field, message]) => ({ field, message })),
    body: html`
      ${shown.link !== undefined && linkCard(shown.link)}
      <section>
        <p class="quiet">${orgName} has ${members.length === 1 ? 'one member' : `${members.length} members`}.</p>
        ${table('Members', memberColumns(path, personId), members)}
      </section>
      ${invitations.length > 0 && invitationSection(invitations, path)} ${inviteSection(shown.form, path)}
    `,
  }
}

const linkCard = (link: string): Html =>
  html`<section class="card good-edge" role="status">
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
  { heading: 'Joined', cell: ({ joinedAt }) => instant(joinedAt) },
  { heading: 'Last seen', cell: ({ seenAt }) => (seenAt ? distance(seenAt) : 'no session') },
  { heading: 'Action', cell: (member) => html`${newLink(member, path)} ${removal(member, path, ownId)}` },
]

const roleForm = ({ personId, name, role }: MemberRow, path: string): Html =>
  html`<form class="inline" method="post" action="${path}/${personId}/role">
    <select name="role" aria-label="Role of ${name}">
      ${roleOptions.map(
        ({ value, label }) => html`<option value="${value}" ${value === role && html`selected`}>${label}</option>`,
      )}
    </select>
    <button class="plain">Change</button>
  </form>`

/** Blank for all credits of the organisation. */
const limitForm = ({ personId, name, dailyCredits }: MemberRow, path: string): Html =>
  html`<form class="inline" method="post" action="${path}/${personId}/limit">
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

const roleOptions = ROLES.map((role) => ({ value: role, label: roleName(role) }))

const invitationSection = (invitations: readonly InvitationRow[], path: string): Html =>
  html`<section>
    <h2>Open invitations</h2>
    ${table(
      'Open invitations',
      [
        { heading: 'For', cell: ({ name, email }) => name ?? email ?? 'not named' },
        { heading: 'Role', cell: ({ role }) => roleName(role) },
        { heading: 'Made by', cell: ({ madeBy }) => madeBy ?? 'the operator' },
        { heading: 'Ends', cell: ({ validUntil }) => distance(validUntil) },
        {
          heading: 'Action',
          cell: ({ invitationId }) =>
            html`<form method="post" action="${path}/invitations/${invitationId}/withdraw">
              <button class="plain">Withdraw</button>
            </form>`,
        },
      ],
      invitations,
    )}
  </section>`

const inviteSection = ({ name, email, role, faults }: InvitationForm, path: string): Html =>
  html`<section class="card narrow">
    <h2>Invite somebody</h2>
    <form class="form" method="post" action="${path}">
      ${textInput({ name: 'name', label: 'Name', value: name, maxLength: 100, required: true, fault: faults.name })}
      ${textInput({
        name: 'email',
        label: 'E-mail',
        value: email,
        type: 'email',
        maxLength: 254,
        hint: 'Optional. The service sends no mail: you send the link.',
        fault: faults.email,
      })}
      ${selectInput({
        name: 'role',
        label: 'Role',
        options: roleOptions,
        chosen: role,
        hint: 'Members see the map and the catalogue. Admins mint keys and see usage. Owners change members too.',
        fault: faults.role,
      })}
      <button class="primary">Make a link</button>
    </form>
  </section>`
