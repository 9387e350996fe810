/** Writes in a transaction that names the person and the address behind it: triggers enter both into the events. */
import type { Request } from 'express'
import { actingAs } from '../../core/access/actor.js'
import type { RunQuery } from '../../core/db/builder.js'
import { clientAddress } from '../../core/client-address.js'
import type { Services } from '../../services.js'
import { lastOwner } from './refusals.js'
import { sessionOf } from './session.js'
import type { Web } from './web.js'

type ChangeAs = <Answer>(req: Request, place: string, work: (run: RunQuery) => Promise<Answer>) => Promise<Answer>

/** `place`, such as "src/app/pages/members.ts: inviteRoute", goes before each statement. */
export function changeAs({ trustedHeader }: Services, { db }: Web): ChangeAs {
  return (req, place, work) => {
    const { personId, name } = sessionOf(req)
    const actor = { personId, name, address: clientAddress(req, trustedHeader) }
    return actingAs(db, actor).change(place, work, { deadline: req.context.deadline })
  }
}

/** A trigger refuses, at the end of the transaction, to leave an organisation without an owner. */
export async function keepingOwner<Answer>(changed: Promise<Answer>, refusal = lastOwner): Promise<Answer> {
  return await changed.catch((error: { constraint_name?: string }) => {
    throw error.constraint_name === 'membership_keeps_owner' ? refusal() : error
  })
}
