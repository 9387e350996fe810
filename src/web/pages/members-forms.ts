/** Handles the forms of /app/members: invite, change a role, remove a member, withdraw an invitation. */
import { sql } from 'kysely'
import type { Request, RequestHandler } from 'express'
import { makeSignInLink } from '../../access/sign-in-links.js'
import { builder } from '../../db/builder.js'
import type { Services } from '../../services.js'
import { changeAs, keepingOwner } from '../change.js'
import { textField } from '../form.js'
import { linkAddress } from '../origin.js'
import { badForm, noSuchPage } from '../refusals.js'
import { isRole } from '../roles.js'
import { goTo, sendPage } from '../send-page.js'
import { sessionOf } from '../session.js'
import { placeOfRequest, type Web } from '../web.js'
import { membersPage, type InvitationForm } from './members.js'

/** POST /app/members: makes a sign-in link for somebody new. The answer shows the link, and no later page does. */
export function inviteRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const form = invitationForm(req)
    if (Object.keys(form.faults).length > 0) {
      res.status(422)
      return sendPage(res, await membersPage(req, web, { form }))
    }
    const { orgId, personId } = sessionOf(req)
    const { name, email, role } = form
    const wanted = { orgId, role, name, email: email || undefined, createdBy: personId }
    const token = await change(req, 'src/web/pages/members-forms.ts: inviteRoute', (run) => makeSignInLink(run, wanted))
    const link = linkAddress(placeOfRequest(req), token)
    sendPage(res, await membersPage(req, web, { form: { ...form, name: '', email: '' }, link }))
  }
}

function invitationForm(req: Request): InvitationForm {
  const [name, email, role] = [textField(req, 'name'), textField(req, 'email'), textField(req, 'role')]
  const faults: InvitationForm['faults'] = {}
  if (name === '') faults.name = 'Say who is invited.'
  else if (name.length > 100) faults.name = `A name has up to 100 characters; ${name.length} came.`
  if (email !== '' && !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) faults.email = 'This is no e-mail address.'
  if (!isRole(role)) faults.role = 'Choose a role.'
  return { name, email, role: isRole(role) ? role : 'member', faults }
}

/** POST /app/members/{id}/role: the role holds from the next click of that person. */
export function changeRoleRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId, personId: ownId } = sessionOf(req)
    const { personId } = req.params as { personId: string }
    const role = textField(req, 'role')
    if (!isRole(role)) throw badForm('The role is Member, Admin or Owner.')
    const changed = await keepingOwner(
      change(req, 'src/web/pages/members-forms.ts: changeRoleRoute', (run) =>
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
    goTo(res, personId === ownId && role !== 'owner' ? '' : '/members?done=role')
  }
}

/** POST /app/members/{id}/remove: the sessions of the member in this organisation end with the membership. */
export function removeMemberRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId, personId: ownId } = sessionOf(req)
    const { personId } = req.params as { personId: string }
    const removed = await keepingOwner(
      change(req, 'src/web/pages/members-forms.ts: removeMemberRoute', (run) =>
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
    goTo(res, personId === ownId ? '' : '/members?done=removed')
  }
}

/** POST /app/members/invitations/{id}/withdraw. */
export function withdrawRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const { invitationId } = req.params as { invitationId: string }
    const withdrawn = await change(req, 'src/web/pages/members-forms.ts: withdrawRoute', (run) =>
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
    goTo(res, '/members?done=withdrawn')
  }
}
