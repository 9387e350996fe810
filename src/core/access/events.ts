/** Lists events: who changed keys, members and organisations. Triggers of the database enter them. */
import { builder, type RunQuery } from '../db/builder.js'
import { findOrganisation } from './organisations.js'

export type KeyEvent = {
  eventId: string
  action: string
  keyId?: string
  personId?: string
  actor: string
  actorId?: string
  fromAddress?: string
  detail: unknown
  enteredAt: string
}

/** Returns the last events of an organisation or of one of its keys, the newest first. */
export async function listEvents(
  run: RunQuery,
  { org, keyId, most }: { org: string; keyId?: string | undefined; most: number },
): Promise<KeyEvent[]> {
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
