/** Writes in a transaction that names the person and the address behind it: triggers enter both into the events. */
import type { Compilable } from 'kysely'
import type { Request } from 'express'
import { actingAs } from '../../core/access/actor.js'
import type { RunQuery } from '../../core/db/builder.js'
import { lastOwner, noSuchPage } from './refusals.js'
import { sessionOf } from './session.js'

/** `place`, such as "src/app/pages/members.ts: inviteRoute", goes before each statement. */
export function changeAs<Answer>(
  req: Request,
  place: string,
  work: (run: RunQuery) => Promise<Answer>,
): Promise<Answer> {
  const { personId, name } = sessionOf(req)
  const { db, address } = req.visit
  return actingAs(db, { personId, name, address }).change(place, work)
}

/** The query returns the row that it changes: one that is not the person's to change is as unknown as none. */
export async function changeOne(req: Request, place: string, query: Compilable): Promise<void> {
  const changed = await changeAs(req, place, (run) => run(query))
  if (changed.length === 0) throw noSuchPage()
}

/** A trigger refuses, at the end of the transaction, to leave an organisation without an owner. */
export async function keepingOwner<Answer>(changed: Promise<Answer>, refusal = lastOwner): Promise<Answer> {
  return await changed.catch((error: { constraint_name?: string }) => {
    throw error.constraint_name === 'membership_keeps_owner' ? refusal() : error
  })
}
