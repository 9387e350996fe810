/** Writes in a transaction that names the person and the address behind it: triggers enter both into the events. */
import type { Request } from 'express'
import { actingAs } from '../../core/access/actor.js'
import type { RunQuery } from '../../core/db/builder.js'
import { leavesNoOwner } from '../../core/access/people.js'
import { lastOwner } from './refusals.js'
import { sessionOf } from './session.js'

/** `place` goes before each statement: the name of an action, or a function such as "src/app/shell/sign-out.ts: endSession". */
export function changeAs<Answer>(
  req: Request,
  place: string,
  work: (run: RunQuery) => Promise<Answer>,
): Promise<Answer> {
  const { personId, name } = sessionOf(req)
  const { db, address } = req.visit
  return actingAs(db, { personId, name, address }).change(place, work)
}

/** A trigger refuses, at the end of the transaction, to leave an organisation without an owner. */
export async function keepingOwner<Answer>(changed: Promise<Answer>, refusal = lastOwner): Promise<Answer> {
  return await changed.catch((error: unknown) => {
    throw leavesNoOwner(error) ? refusal() : error
  })
}
