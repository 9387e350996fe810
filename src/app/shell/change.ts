/** Writes in a transaction that names the person and the address behind it: triggers enter both into the events. */
import type { Request } from 'express'
import { actingAs } from '../../core/access/index.js'
import type { RunQuery } from '../../core/db/index.js'
import { sessionOf } from './session.js'

/** `caller` goes before each statement: an action, or a function such as "src/app/shell/sign-out.ts: endSession". */
export function changeAs<Answer>(
  req: Request,
  caller: string,
  work: (run: RunQuery) => Promise<Answer>,
): Promise<Answer> {
  const { personId, name } = sessionOf(req)
  const { db, address } = req.visit
  return actingAs(db, { personId, name, address }).change(caller, work)
}
