/**
 * Every change that a person makes in the web app, a row each: its path, the least role that may make it, its fields, what
 * changes, and what the answer says. Signing in and out and the new passkey, which scripts and providers take part in,
 * are in src/app/sign-in and src/app/pages/account.ts.
 */
import {
  type ApiCall,
  capKey,
  changeMember,
  endAllSessions,
  endSession,
  FieldFault,
  makeSignInLink,
  memberForLink,
  membersWithEmail,
  mintKey,
  removeMember,
  removePasskey,
  revokeKey,
  rollKey,
  switchOrganisation,
  unreadableBy,
  withdrawLink,
} from '../core/access/index.js'
import type { RunQuery } from '../core/db/index.js'
import { linkAddress } from '../core/origin.js'
import { capFields, graceNote, keyPage, rollFields } from './pages/key.js'
import { invitationFields, limitFields, membersPage, roleFields } from './pages/members.js'
import { keyFields, mintedPage, newKeyPage } from './pages/new-key.js'
import { action, type Action, sectionOf } from './shell/action.js'
import { clearCookie } from './shell/cookie.js'
import { anyText, offered } from './shell/fields.js'
import { unreadNote } from './shell/key-state.js'
import type { Notices } from './shell/notice.js'
import { notYoursToSignIn } from './shell/refusals.js'
import { goTo, sendPage } from './shell/send-page.js'
import { datasetsToChoose } from './shell/statements.js'
import type { Services } from '../services.js'
import { html } from './shell/html.js'

const memberActions = [
  action('members.invite', {
    path: '/members',
    least: 'owner',
    fields: invitationFields,
    run: async (run, { by }, { name, email, role }) => {
      await refuseMember(run, by.orgId, email)
      return await makeSignInLink(run, { orgId: by.orgId, role, name, email, createdBy: by.personId })
    },
    done: async (res, token, { role }) =>
      sendPage(res, await membersPage(res.req, offered({ role }), linkAddress(res.req.visit.place, token))),
    again: membersPage,
  }),
  action('members.link', {
    path: '/members/:personId/link',
    least: 'owner',
    run: async (run, { by, of }) => {
      const member = await memberForLink(run, of)
      if (member?.is_of_others) throw notYoursToSignIn()
      return member && (await makeSignInLink(run, { ...of, role: member.role, createdBy: by.personId }))
    },
    done: async (res, token) =>
      sendPage(res, await membersPage(res.req, undefined, linkAddress(res.req.visit.place, token))),
  }),
  action('members.role', {
    path: '/members/:personId/role',
    least: 'owner',
    fields: roleFields,
    run: (run, { of }, { role }) => changeMember(run, of, { role }),
    done: 'The role was changed. It holds from the next click of that person.',
    leaves: ({ by, of }, { role }) => of.personId === by.personId && role !== 'owner',
  }),
  action('members.limit', {
    path: '/members/:personId/limit',
    least: 'owner',
    fields: limitFields,
    run: (run, { of }, { credits = null }) => changeMember(run, of, { daily_credits: credits }),
    done: 'The credits a day were set. They hold from the next question of that person.',
  }),
  action('members.remove', {
    path: '/members/:personId/remove',
    least: 'owner',
    run: (run, { of }) => removeMember(run, of),
    done: 'The member was removed, and signed out everywhere.',
    leaves: ({ by, of }) => of.personId === by.personId,
  }),
  action('members.withdraw', {
    path: '/members/invitations/:invitationId/withdraw',
    least: 'owner',
    run: (run, { of }) => withdrawLink(run, of),
    done: 'The link was withdrawn. It signs nobody in.',
  }),
]

/** An invitation would enter a second person with the same address. */
async function refuseMember(run: RunQuery, orgId: string, email: string | undefined): Promise<void> {
  const [known] = email === undefined ? [] : await membersWithEmail(run, orgId, email)
  if (!known) return
  const advice = '"New sign-in link" is above, beside the name.'
  throw new FieldFault('email', `${known.name} is a member with this address. ${advice}`)
}

const keyActions = (calls: readonly ApiCall[], readerForRequest: Services['readerForRequest']) => [
  action('keys.mint', {
    path: '/keys/new',
    least: 'admin',
    fields: keyFields,
    run: async (run, { by }, { key, name, preset, datasets, expires }) => {
      const [unread] = datasets ? await unreadableBy(run, by.orgId, datasets) : []
      if (unread !== undefined)
        throw new FieldFault('datasets', `Your organisation cannot read "${unread.slice(0, 60)}" at this moment.`)
      const wanted = { org: by.orgId, createdBy: by.personId, keyId: key, name, preset, datasets, ...expires }
      return await mintKey(run, { ...wanted, capabilities: undefined })
    },
    done: async (res, key) => {
      const known = await datasetsToChoose(res.req.visit.db, key.orgId)
      const reader = readerForRequest(res.req.context.deadline)
      sendPage(res, await mintedPage(key, { known, reader, place: res.req.visit.place }, unreadNote(key, known)))
    },
    again: (req, form) => newKeyPage(req, form, calls),
  }),
  action('keys.roll', {
    path: '/keys/:keyId/roll',
    least: 'admin',
    fields: rollFields,
    run: (run, { by, of }, { key, grace, expires }) =>
      rollKey(run, of, { keyId: key, createdBy: by.personId, grace, ...expires }),
    done: async (res, key, { grace }) => {
      const known = await datasetsToChoose(res.req.visit.db, key.orgId)
      const before = html`<p>${graceNote(grace)}</p>
        ${unreadNote(key, known)}`
      const reader = readerForRequest(res.req.context.deadline)
      sendPage(res, await mintedPage(key, { known, reader, place: res.req.visit.place }, before))
    },
    again: keyPage,
  }),
  action('keys.cap', {
    path: '/keys/:keyId/caps',
    least: 'admin',
    fields: capFields,
    run: (run, { of }, caps) =>
      capKey(run, of, Object.fromEntries(Object.entries(caps).map(([name, cap]) => [name, cap ?? null]))),
    done: 'The caps of the key were set. They hold from its next call.',
  }),
  action('keys.revoke', {
    path: '/keys/:keyId/revoke',
    least: 'admin',
    run: (run, { of }) => revokeKey(run, of.keyId, of.orgId),
    done: 'The key was revoked. The API refuses it from now on.',
  }),
]

const accountActions = [
  action('account.end-session', {
    path: '/account/sessions/:sessionId/end',
    least: 'member',
    run: (run, { by, of }) => endSession(run, by.personId, of.sessionId),
    done: 'The session has ended.',
  }),
  action('account.sign-out-everywhere', {
    path: '/account/sign-out-everywhere',
    least: 'member',
    run: (run, { by }) => endAllSessions(run, by.personId),
    done: (res) => {
      clearCookie(res, res.req.visit.place)
      goTo(res, '/sign-in')
    },
  }),
  action('account.remove-passkey', {
    path: '/account/passkeys/remove',
    least: 'member',
    fields: { passkey: anyText },
    run: (run, { by }, { passkey }) => removePasskey(run, by.personId, passkey),
    done: 'The passkey was removed.',
  }),
  action('account.organisation', {
    path: '/organisation',
    least: 'member',
    fields: { organisation: anyText },
    run: (run, { by }, { organisation }) => switchOrganisation(run, by, organisation),
    done: (res) => goTo(res, ''),
  }),
]

export const actionsOf = (
  calls: readonly ApiCall[],
  { readerForRequest }: Pick<Services, 'readerForRequest'>,
): readonly Action[] => [...memberActions, ...keyActions(calls, readerForRequest), ...accountActions]

const PASSKEY_ADDED = { name: 'account.add-passkey', path: '/account/passkeys', notice: 'The passkey was added.' }

export const noticesOf = (actions: readonly Action[]): Notices =>
  Object.fromEntries(
    [...actions, PASSKEY_ADDED].flatMap(({ name, path, notice }) =>
      notice === undefined ? [] : [[name, { section: sectionOf(path), text: notice }]],
    ),
  )
