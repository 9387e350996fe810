/** Says in a sentence what an event of the organisation changed. */
import { counted } from '../../core/counted.js'
import { instantText } from './components.js'
import { isRole, roleName } from '../../core/access/roles.js'
import type { EventRow } from './statements.js'

export function eventSentence({ action, actor, isOwnChange, detail, enteredAt }: EventRow): string {
  const text = (name: string) => {
    const value = detail[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const role = (name: string) => {
    const value = text(name) ?? ''
    return isRole(value) ? roleName(value) : value
  }
  const who = text('name') ?? text('email') ?? 'somebody'
  const sentences: Readonly<Record<string, () => string>> = {
    minted: () => `Minted the key, valid until ${minute(text('expires_at'))}`,
    rolled: () => `Minted the key in place of ${text('rolled_from')}, valid until ${minute(text('expires_at'))}`,
    revoked: () => endOfKey(text('revoked_at'), enteredAt),
    changed: () => `Changed the key: ${Object.keys(detail).join(', ')}`,
    deleted: () => `Deleted the key "${who}"`,
    invited: () => `Invited ${who} as ${role('role')}`,
    link_made: () => `Made a sign-in link for ${who}`,
    link_withdrawn: () => `Withdrew the link for ${who}`,
    joined: () => `${who} joined as ${role('role')}`,
    role_changed: () => `Changed the role of ${who} from ${role('from')} to ${role('to')}`,
    limit_changed: () =>
      text('credits') === undefined
        ? `Let ${who} spend all credits`
        : `Let ${who} spend ${counted(Number(text('credits')), 'credit')} a day`,
    removed: () => (isOwnChange ? `${who} left the organisation` : `${actor} removed ${who}`),
    signed_in: () => `${who} ${WAYS[text('by') ?? ''] ?? 'signed in'}`,
    session_ended: () => `Ended a session of ${who}`,
    passkey_added: () => `Added the passkey "${text('passkey')}" of ${who}`,
    passkey_removed: () => `Removed the passkey "${text('passkey')}" of ${who}`,
    created: () => 'Created the organisation',
    organisation_changed: () => `Changed the organisation: ${Object.keys(detail).join(', ')}`,
    topped_up: () => `Added ${counted(Number(text('credits')), 'credit')}`,
  }
  return sentences[action]?.() ?? action
}

const WAYS: Readonly<Record<string, string>> = {
  link: 'signed in by a link',
  openid: 'signed in with the OpenID provider',
  passkey: 'signed in with a passkey',
  switch: 'came over from another organisation',
}

/** Only a roll sets an end that lies ahead. */
const endOfKey = (at: string | undefined, enteredAt: Date) =>
  at !== undefined && Date.parse(at) > enteredAt.getTime()
    ? `Rolled the key: it ends at ${minute(at)}`
    : `Revoked the key at ${minute(at)}`

/** PostgreSQL writes an instant in JSON as 2026-11-22T15:45:00.123+00:00. */
const minute = (at: string | undefined) =>
  at === undefined || Number.isNaN(Date.parse(at)) ? 'an unknown instant' : instantText(new Date(at))
