/** GET /app/events: who changed what in the organisation, and from where. GET /app/events.csv: all of it. */
import type { RequestHandler } from 'express'
import type { EventRow } from '../shell/rows.js'
import { instantText, table } from '../shell/components.js'
import { type Cells, columnsOf, csvColumnsOf } from '../shell/columns.js'
import { beforeOf, fromNewest, sendRows } from '../shell/csv.js'
import { html } from '../shell/html.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { eventsOfOrganisation } from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { CAP_NAMES, isRole, roleName } from '../../core/access/index.js'
import { counted } from '../../core/counted.js'

const EVENTS_OF_PAGE = 50

export const eventsRoute: RequestHandler = async (req, res) => {
  const before = beforeOf(req, 'an event')
  const found = await eventsOfOrganisation(req.visit.db, sessionOf(req).orgId, before, EVENTS_OF_PAGE + 1)
  const shown = found.slice(0, EVENTS_OF_PAGE)
  const older = found.length > EVENTS_OF_PAGE && shown.at(-1)
  const { app } = req.visit.place
  const path = `${app}/events`
  sendPage(res, {
    title: 'Events',
    section: '/events',
    actions: html`<a class="button" href="${path}.csv" download>Download CSV</a>`,
    body: html`
      <p class="quiet">
        Every sign-in and every change of keys, members and credits, also by the operator. Events are added, never
        changed.
      </p>
      ${
        shown.length === 0
          ? html`<p class="empty">No events here.</p>`
          : table('Events, the newest first', columnsOf(eventsOfOrganisation, eventCells(app)), shown)
      }
      ${older && html`<p><a class="button" href="${path}?before=${older.eventId}">Older events</a></p>`}
    `,
  })
}

export const eventCells = (app: string): Cells<EventRow> => ({
  action: eventSentence,
  keyName: ({ keyId, keyName }) =>
    keyId !== null &&
    (keyName === null
      ? html`<code>${keyId}</code>`
      : html`<a class="clamped" href="${app}/keys/${keyId}" title="${keyName}">${keyName}</a><code>${keyId}</code>`),
  fromAddress: ({ fromAddress }) => fromAddress ?? html`<span class="quiet">this machine</span>`,
})

export function eventsCsvRoute({ db }: Web): RequestHandler {
  return async (req, res) => {
    const { orgId } = sessionOf(req)
    const read = (before: string, most: number) => eventsOfOrganisation(db, orgId, before, most)
    await sendRows(
      res,
      'events.csv',
      csvColumnsOf(eventsOfOrganisation),
      fromNewest(read, ({ eventId }) => eventId),
    )
  }
}

function eventSentence({ action, actor, isOwnChange, detail, enteredAt }: EventRow): string {
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
    changed: () => `Changed the key: ${Object.entries(detail).map(changeText).join(', ')}`,
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
    signed_in: () => `${who} ${SIGN_IN_WAYS[text('by') ?? ''] ?? 'signed in'}`,
    session_ended: () => `Ended a session of ${who}`,
    passkey_added: () => `Added the passkey "${text('passkey')}" of ${who}`,
    passkey_removed: () => `Removed the passkey "${text('passkey')}" of ${who}`,
    created: () => 'Created the organisation',
    organisation_changed: () => `Changed the organisation: ${Object.keys(detail).join(', ')}`,
    topped_up: () => `Added ${counted(Number(text('credits')), 'credit')}`,
  }
  return sentences[action]?.() ?? action
}

/** Names what was changed. Of a cap it says the new limit, too. */
const changeText = ([name, value]: [string, unknown]): string => {
  const to = (value as { to?: unknown } | null)?.to
  const isCap = CAP_NAMES.some((cap) => cap === name)
  return isCap ? `${name.replace('_', ' ')} ${typeof to === 'number' ? `at most ${to}` : 'without a cap'}` : name
}

const SIGN_IN_WAYS: Readonly<Record<string, string>> = {
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
