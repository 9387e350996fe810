/** frames events: lists who changed the keys, members and credits of an organisation. */
import { findOrganisation } from '../../core/access/index.js'
import { builder, type RunQuery } from '../../core/db/index.js'
import { escapeLine } from '../../core/plain-text.js'
import { type Command, form, linesOf, optional, required } from './command.js'
import { onDatabase } from './open-database.js'
import { keyValue, organisationValue, wholeNumber } from '../../core/values.js'

export const eventsCommand: Command = {
  summary: 'list who changed the keys, members and credits of an organisation',
  form: form({
    description:
      'Lists the events of an organisation, the newest first: keys that were minted, rolled or revoked, people who were invited, joined, signed in or were removed, and top-ups. Events are never changed or removed.',
    args: {
      org: required(organisationValue, 'the organisation'),
      key: optional(keyValue, 'the events of this key alone'),
      limit: optional(wholeNumber('N', 1, 10_000), 'how many events', '100'),
    },
    run: onDatabase(
      (db, { org, key, limit = 100 }) => listEvents(db.run, org, key, limit),
      (events) => linesOf(events, eventLine),
    ),
  }),
}

function eventLine({ enteredAt, action, keyId, personId, actor, fromAddress, detail }: KeyEvent): string {
  const by = fromAddress === undefined ? actor : `${actor} from ${fromAddress}`
  const about = [keyId, personId].filter(Boolean).join(' ')
  return escapeLine(
    `${enteredAt.slice(0, 19)}Z  ${action.padEnd(15)}  ${about.padEnd(16)}  ${by}  ${JSON.stringify(detail)}`,
  )
}

type KeyEvent = Awaited<ReturnType<typeof listEvents>>[number]

async function listEvents(run: RunQuery, org: string, keyId: string | undefined, most: number) {
  const { orgId } = await findOrganisation(run, org)
  const events = builder
    .selectFrom('key_event')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('event_id', 'desc')
    .limit(most)
  const rows = await run(keyId === undefined ? events : events.where('key_id', '=', keyId))
  return rows.map((row) => ({
    eventId: row.event_id,
    action: row.action,
    ...(row.key_id === null ? {} : { keyId: row.key_id }),
    ...(row.person_id === null ? {} : { personId: row.person_id }),
    actor: row.actor,
    ...(row.actor_person === null ? {} : { actorId: row.actor_person }),
    ...(row.from_address === null ? {} : { fromAddress: row.from_address }),
    detail: row.detail,
    enteredAt: row.entered_at.toISOString(),
  }))
}
