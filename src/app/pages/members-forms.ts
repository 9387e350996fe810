/** Handles the forms of /app/members: invite, sign a member in again, change a role, remove a member, withdraw an invitation. */
import { sql } from 'kysely'
import type { Request, RequestHandler } from 'express'
import { makeSignInLink } from '../../core/access/sign-in-links.js'
import { builder } from '../../core/db/builder.js'
import { withDeadline } from '../../core/db/connect.js'
import type { Services } from '../../services.js'
import { nameFault } from '../../core/plain-text.js'
import { changeAs, keepingOwner } from '../shell/change.js'
import { textField } from '../shell/form.js'
import { linkAddress } from '../../core/origin.js'
import { badForm, noSuchPage, notYoursToSignIn } from '../shell/refusals.js'
import { isRole } from '../../core/access/roles.js'
import { goToWithNotice } from '../shell/notice.js'
import { goTo, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import type { Web } from '../shell/web.js'
import { membersOfOrganisation, type MemberRow } from '../shell/statements.js'
import { blankForm, membersPage, type InvitationForm } from './members.js'

/** POST /app/members: makes a sign-in link for somebody new. The answer shows the link, and no later page does. */
export function inviteRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const form = invitationForm(req)
    const known = await memberWithEmail(req, web, form.email)
    if (known)
      form.faults.email = `${known.name} is a member with this address. "New sign-in link" is above, beside the name.`
    if (Object.keys(form.faults).length > 0) {
      res.status(422)
      return sendPage(res, await membersPage(req, web, { form }))
    }
    const { orgId, personId } = sessionOf(req)
    const { name, email, role } = form
    const wanted = { orgId, role, name, email: email || undefined, createdBy: personId }
    const token = await change(req, 'src/app/pages/members-forms.ts: inviteRoute', (run) => makeSignInLink(run, wanted))
    const link = linkAddress(req.visit.place, token)
    sendPage(res, await membersPage(req, web, { form: { ...form, name: '', email: '' }, link }))
  }
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
async function memberWithEmail(req: Request, { db }: Web, email: string): Promise<MemberRow | undefined> {
  if (email === '') return undefined
  const members = await membersOfOrganisation(withDeadline(db, req.context.deadline), sessionOf(req).orgId)
  return members.find((member) => member.email?.toLowerCase() === email.toLowerCase())
}

/** POST /app/members/{id}/link: makes a link that signs a member in again. Only this answer shows it. */
export function memberLinkRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId, personId: createdBy } = sessionOf(req)
    const { personId } = req.params as { personId: string }
    const token = await change(req, 'src/app/pages/members-forms.ts: memberLinkRoute', async (run) => {
      const [member] = await run(memberForLink(orgId, personId))
      if (!member) throw noSuchPage()
      if (member.is_elsewhere || member.issuer !== null) throw notYoursToSignIn()
      return await makeSignInLink(run, { orgId, role: member.role, personId, createdBy })
    })
    sendPage(res, await membersPage(req, web, { form: blankForm, link: linkAddress(req.visit.place, token) }))
  }
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

/** POST /app/members/{id}/role: the role holds from the next click of that person. */
export function changeRoleRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId, personId: ownId } = sessionOf(req)
    const { personId } = req.params as { personId: string }
    const role = textField(req, 'role')
    if (!isRole(role)) throw badForm('The role is Member, Admin or Owner.')
    const changed = await keepingOwner(
      change(req, 'src/app/pages/members-forms.ts: changeRoleRoute', (run) =>
        run(
          builder
            .updateTable('membership')
            .set({ role })
            .where('person_id', '=', personId)
            .where('org_id', '=', orgId)
            .returning('role'),
        ),
      ),
    )
    if (changed.length === 0) throw noSuchPage()
    if (personId === ownId && role !== 'owner') return goTo(res, '')
    goToWithNotice(res, '/members', 'role')
  }
}

/** POST /app/members/{id}/limit: sets how many credits a day the member may spend; a blank field sets no limit. */
export function limitMemberRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const { personId } = req.params as { personId: string }
    const credits = textField(req, 'credits')
    if (!/^\d{0,9}$/.test(credits)) throw badForm('Credits a day are a whole number of up to nine digits, or blank.')
    const changed = await change(req, 'src/app/pages/members-forms.ts: limitMemberRoute', (run) =>
      run(
        builder
          .updateTable('membership')
          .set({ daily_credits: credits === '' ? null : Number(credits) })
          .where('person_id', '=', personId)
          .where('org_id', '=', orgId)
          .returning('role'),
      ),
    )
    if (changed.length === 0) throw noSuchPage()
    goToWithNotice(res, '/members', 'limit')
  }
}

/** POST /app/members/{id}/remove: the sessions of the member in this organisation end with the membership. */
export function removeMemberRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId, personId: ownId } = sessionOf(req)
    const { personId } = req.params as { personId: string }
    const removed = await keepingOwner(
      change(req, 'src/app/pages/members-forms.ts: removeMemberRoute', (run) =>
        run(
          builder
            .deleteFrom('membership')
            .where('person_id', '=', personId)
            .where('org_id', '=', orgId)
            .returning('role'),
        ),
      ),
    )
    if (removed.length === 0) throw noSuchPage()
    if (personId === ownId) return goTo(res, '')
    goToWithNotice(res, '/members', 'removed')
  }
}

/** POST /app/members/invitations/{id}/withdraw. */
export function withdrawRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const { invitationId } = req.params as { invitationId: string }
    const withdrawn = await change(req, 'src/app/pages/members-forms.ts: withdrawRoute', (run) =>
      run(
        builder
          .deleteFrom('sign_in_link')
          .where('org_id', '=', orgId)
          .where('used_at', 'is', null)
          .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', invitationId)
          .returning('role'),
      ),
    )
    if (withdrawn.length === 0) throw noSuchPage()
    goToWithNotice(res, '/members', 'withdrawn')
  }
}
