/** The forms of /app/keys/{id}: roll and revoke. */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import { FieldFault } from '../../core/access/field-fault.js'
import { AlreadyMinted, GRACE_HOURS, NotRolled, revokeKey, rollKey, UnknownKey } from '../../core/access/keys.js'
import { withDeadline } from '../../core/db/connect.js'
import type { Services } from '../../services.js'
import { changeAs } from '../shell/change.js'
import { expiryFields, expiryOf } from '../shell/expiry.js'
import { newKeyField, textField } from '../shell/form.js'
import { html } from '../shell/html.js'
import { unreadNote } from '../shell/key-state.js'
import { alreadyMinted, noSuchPage, notRolled } from '../shell/refusals.js'
import { goToWithNotice } from '../shell/notice.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { datasetsToChoose } from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { keyPage, type RollForm } from './key.js'
import { mintedPage } from './minted.js'

/** POST /app/keys/{id}/roll: the answer shows the secret of the new key. */
export function rollKeyRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const form = rollForm(req)
    const { orgId, personId } = sessionOf(req)
    const { keyId } = req.params as { keyId: string }
    try {
      const key = await change(req, 'src/app/pages/key-forms.ts: rollKeyRoute', (run) =>
        rollKey(
          run,
          { keyId, orgId },
          { keyId: form.keyId, createdBy: personId, graceHours: graceOf(form.grace), ...expiryOf(form.expiry) },
        ),
      )
      const known = await datasetsToChoose(withDeadline(web.db, req.context.deadline), orgId)
      const before = html`<p>${GRACE_NOTES[form.grace]}</p>
        ${unreadNote(key, known)}`
      sendPage(res, mintedPage(key, req.visit.place, before))
    } catch (error) {
      if (error instanceof UnknownKey) throw noSuchPage()
      if (error instanceof AlreadyMinted) throw alreadyMinted(form.keyId)
      if (error instanceof NotRolled) throw notRolled()
      if (!(error instanceof FieldFault)) throw error
      res.status(422)
      sendPage(res, await keyPage(req, web, { ...form, faults: { [error.field]: error.message } }))
    }
  }
}

function rollForm(req: ExpressRequest): RollForm {
  return { keyId: newKeyField(req), expiry: expiryFields(req), grace: textField(req, 'grace'), faults: {} }
}

function graceOf(grace: string): number {
  const hours = Object.entries(GRACE_HOURS).find(([name]) => name === grace)?.[1]
  if (hours === undefined) throw new FieldFault('grace', `${Object.keys(GRACE_HOURS).join(', ')} are accepted.`)
  return hours
}

const GRACE_NOTES: Readonly<Record<string, string>> = {
  now: 'The key that it replaces has ended.',
  '1h': 'The key that it replaces stays valid for an hour, and never beyond its own expiry.',
  '24h': 'The key that it replaces stays valid for 24 hours, and never beyond its own expiry.',
  '7d': 'The key that it replaces stays valid for 7 days, and never beyond its own expiry.',
}

/** POST /app/keys/{id}/revoke. */
export function revokeKeyRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const { keyId } = req.params as { keyId: string }
    await change(req, 'src/app/pages/key-forms.ts: revokeKeyRoute', (run) => revokeKey(run, keyId, orgId)).catch(
      (error: unknown) => {
        throw error instanceof UnknownKey ? noSuchPage() : error
      },
    )
    goToWithNotice(res, '/keys', 'revoked')
  }
}
