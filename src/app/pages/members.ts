/** GET /app/members: lists the people of the organisation with their roles, and the open invitations. */
import type { Request, RequestHandler } from 'express'
import type { InvitationRow, MemberRow } from '../shell/rows.js'
import { sql } from 'kysely'
import { changeAs, changeOne, keepingOwner } from '../shell/change.js'
import {
  type Column,
  confirmation,
  copyable,
  dayOf,
  distance,
  exactInstant,
  option,
  selectInput,
  table,
  tableSection,
  textInput,
} from '../shell/components.js'
import { textField } from '../shell/form.js'
import { type Html, html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { goToWithNotice, takeNotice } from '../shell/notice.js'
import { badForm, noSuchPage, notYoursToSignIn } from '../shell/refusals.js'
import { goTo, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { invitationsOpen, membersOfOrganisation } from '../shell/statements.js'
import { isRole, type Role, roleName, ROLES } from '../../core/access/roles.js'
import { makeSignInLink } from '../../core/access/sign-in-links.js'
import { builder } from '../../core/db/builder.js'
import { linkAddress } from '../../core/origin.js'
import { nameFault } from '../../core/plain-text.js'

const MEMBER_NOTICES = {
  role: 'The role was changed. It holds from the next click of that person.',
  limit: 'The credits a day were set. They hold from the next question of that person.',
  removed: 'The member was removed, and signed out everywhere.',
  withdrawn: 'The link was withdrawn. It signs nobody in.',
}

/** An invitation as a person typed it, with a sentence for each field that is not right. */
type InvitationForm = {
  name: string
  email: string
  role: Role
  faults: { name?: string; email?: string; role?: string }
}

const blankInvitation: InvitationForm = { name: '', email: '', role: 'member', faults: {} }

export const membersRoute: RequestHandler = async (req, res) =>
  sendPage(res, await membersPage(req, { form: blankInvitation }))

/** `link`: the address of the invitation that was just made. Only this answer shows it. */
type ShownInvitation = { form: InvitationForm; link?: string }

async function membersPage(req: Request, shown: ShownInvitation): Promise<PageContent> {
  const { orgId, orgName, personId } = sessionOf(req)
  const { db } = req.visit
  const [members, invitations] = await Promise.all([membersOfOrganisation(db, orgId), invitationsOpen(db, orgId)])
  const path = `${req.visit.place.app}/members`
  return {
    title: 'Members',
    section: '/members',
    notice: takeNotice(req, MEMBER_NOTICES),
    faults: shown.form.faults,
    body: html`
      ${shown.link !== undefined && linkCard(shown.link)}
      <section>
        <p class="quiet">${orgName} has ${members.length === 1 ? 'one member' : `${members.length} members`}.</p>
        ${table('Members', memberColumns(path, personId), members)}
      </section>
      ${tableSection('Open links', 'Open links', invitationColumns(path), invitations)}
      ${inviteSection(shown.form, path)}
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
  { heading: 'Joined', cell: ({ joinedAt }) => dayOf(joinedAt) },
  { heading: 'Last seen', cell: ({ seenAt }) => (seenAt ? distance(seenAt) : 'no session') },
  { heading: 'Action', cell: (member) => html`${newLink(member, path)} ${removal(member, path, ownId)}` },
]

const roleForm = ({ personId, name, role }: MemberRow, path: string): Html =>
  html`<form class="inline" method="post" action="${path}/${personId}/role">
    <select name="role" aria-label="Role of ${name}">
      ${ROLES.map((each) => option(each, roleName(each), each === role))}
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
        options: ROLES.map((value) => ({ value, label: roleName(value) })),
        chosen: role,
        hint: 'Members see the map and the catalogue, ask questions, and may spend credits and worded answers. Admins mint keys and see usage. Owners change members too.',
        fault: faults.role,
      })}
      <button class="primary">Make a link</button>
    </form>
  </section>`

/** POST /app/members: makes a sign-in link for somebody new. The answer shows the link, and no later page does. */
export const inviteRoute: RequestHandler = async (req, res) => {
  const form = invitationForm(req)
  const known = await memberByEmail(req, form.email)
  if (known)
    form.faults.email = `${known.name} is a member with this address. "New sign-in link" is above, beside the name.`
  if (Object.keys(form.faults).length > 0) {
    res.status(422)
    return sendPage(res, await membersPage(req, { form }))
  }
  const { orgId, personId } = sessionOf(req)
  const { name, email, role } = form
  const wanted = { orgId, role, name, email: email || undefined, createdBy: personId }
  const token = await changeAs(req, 'src/app/pages/members.ts: inviteRoute', (run) => makeSignInLink(run, wanted))
  const link = linkAddress(req.visit.place, token)
  sendPage(res, await membersPage(req, { form: { ...form, name: '', email: '' }, link }))
}

function invitationForm(req: Request): InvitationForm {
  const [name, email, role] = [textField(req, 'name'), textField(req, 'email'), textField(req, 'role')]
  const faults: InvitationForm['faults'] = {}
  if (name === '') faults.name = 'Say who is invited.'
  else if (name.length > 100) faults.name = `A name has up to 100 characters; ${name.length} came.`
  const nameWrong = nameFault(name)
  if (nameWrong !== undefined) faults.name = nameWrong
  if (email !== '' && (nameFault(email) !== undefined || !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)))
    faults.email = 'This is no e-mail address.'
  if (!isRole(role)) faults.role = 'Choose a role.'
  return { name, email, role: isRole(role) ? role : 'member', faults }
}

/** An invitation would enter a second person with the same address. */
async function memberByEmail(req: Request, email: string): Promise<MemberRow | undefined> {
  if (email === '') return undefined
  const members = await membersOfOrganisation(req.visit.db, sessionOf(req).orgId)
  return members.find((member) => member.email?.toLowerCase() === email.toLowerCase())
}

/** POST /app/members/{id}/link: makes a link that signs a member in again. Only this answer shows it. */
export const memberLinkRoute: RequestHandler = async (req, res) => {
  const { orgId, personId: createdBy } = sessionOf(req)
  const { personId } = req.params as { personId: string }
  const token = await changeAs(req, 'src/app/pages/members.ts: memberLinkRoute', async (run) => {
    const [member] = await run(memberForLink(orgId, personId))
    if (!member) throw noSuchPage()
    if (member.is_elsewhere || member.issuer !== null) throw notYoursToSignIn()
    return await makeSignInLink(run, { orgId, role: member.role, personId, createdBy })
  })
  sendPage(res, await membersPage(req, { form: blankInvitation, link: linkAddress(req.visit.place, token) }))
}

/** The lock makes a removal of the member wait: it then finds the link, and withdraws it. */
const memberForLink = (orgId: string, personId: string) =>
  builder
    .selectFrom('membership')
    .innerJoin('person', 'person.person_id', 'membership.person_id')
    .select((make) => [
      'membership.role',
      'person.issuer',
      make
        .exists(
          make
            .selectFrom('membership as elsewhere')
            .select('elsewhere.org_id')
            .where('elsewhere.person_id', '=', personId)
            .where('elsewhere.org_id', '<>', orgId),
        )
        .as('is_elsewhere'),
    ])
    .where('membership.person_id', '=', personId)
    .where('membership.org_id', '=', orgId)
    .forKeyShare(['membership'])

/** The member that the address names, in the organisation of the session. */
const memberOf = (req: Request) => ({ person_id: String(req.params['personId']), org_id: sessionOf(req).orgId })

const changeMember = (req: Request, place: string, change: { role: Role } | { daily_credits: number | null }) =>
  changeOne(
    req,
    place,
    builder
      .updateTable('membership')
      .set(change)
      .where((row) => row.and(memberOf(req)))
      .returning('role'),
  )

const isOwn = (req: Request): boolean => memberOf(req).person_id === sessionOf(req).personId

/** POST /app/members/{id}/role: the role holds from the next click of that person. */
export const changeRoleRoute: RequestHandler = async (req, res) => {
  const role = textField(req, 'role')
  if (!isRole(role)) throw badForm('The role is Member, Admin or Owner.')
  await keepingOwner(changeMember(req, 'src/app/pages/members.ts: changeRoleRoute', { role }))
  if (isOwn(req) && role !== 'owner') return goTo(res, '')
  goToWithNotice(res, '/members', 'role')
}

/** POST /app/members/{id}/limit: sets how many credits a day the member may spend; a blank field sets no limit. */
export const limitMemberRoute: RequestHandler = async (req, res) => {
  const credits = textField(req, 'credits')
  if (!/^\d{0,9}$/.test(credits)) throw badForm('Credits a day are a whole number of up to nine digits, or blank.')
  const limit = { daily_credits: credits === '' ? null : Number(credits) }
  await changeMember(req, 'src/app/pages/members.ts: limitMemberRoute', limit)
  goToWithNotice(res, '/members', 'limit')
}

/** POST /app/members/{id}/remove: the sessions of the member in this organisation end with the membership. */
export const removeMemberRoute: RequestHandler = async (req, res) => {
  const ofMember = builder
    .deleteFrom('membership')
    .where((row) => row.and(memberOf(req)))
    .returning('role')
  await keepingOwner(changeOne(req, 'src/app/pages/members.ts: removeMemberRoute', ofMember))
  if (isOwn(req)) return goTo(res, '')
  goToWithNotice(res, '/members', 'removed')
}

/** POST /app/members/invitations/{id}/withdraw. */
export const withdrawRoute: RequestHandler = async (req, res) => {
  const { invitationId } = req.params as { invitationId: string }
  await changeOne(
    req,
    'src/app/pages/members.ts: withdrawRoute',
    builder
      .deleteFrom('sign_in_link')
      .where('org_id', '=', sessionOf(req).orgId)
      .where('used_at', 'is', null)
      .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', invitationId)
      .returning('role'),
  )
  goToWithNotice(res, '/members', 'withdrawn')
}
