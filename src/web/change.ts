/** Writes in a transaction that names the person and the address behind it: triggers enter both into the events. */
import type { Request } from 'express'
import { builder, type RunQuery } from '../db/builder.js'
import type { Services } from '../services.js'
import { clientAddress } from '../http/client-address.js'
import { sessionOf } from './session.js'
import type { Web } from './web.js'

export type Actor = { personId: string; name: string; address: string | undefined }

/** The settings end with the transaction. */
export async function nameActor(run: RunQuery, { personId, name, address }: Actor): Promise<void> {
  await run(
    builder.selectNoFrom((make) => {
      const set = (setting: string, value: string) =>
        make.fn('set_config', [make.val(setting), make.val(value), make.val(true)])
      return [
        set('frames.actor_person', personId).as('person'),
        set('frames.actor', name).as('actor'),
        set('frames.from', address ?? '').as('address'),
      ]
    }),
  )
}

export type ChangeAs = <Answer>(
  req: Request,
  place: string,
  work: (run: RunQuery) => Promise<Answer>,
) => Promise<Answer>

/** `place`, such as "src/web/pages/members.ts: changeRole", goes before each statement. */
export function changeAs({ trustedHeader }: Services, { db }: Web): ChangeAs {
  return (req, place, work) => {
    const { personId, name } = sessionOf(req)
    return db.change(
      place,
      async (run) => {
        await nameActor(run, { personId, name, address: clientAddress(req, trustedHeader) })
        return await work(run)
      },
      { deadline: req.deadline },
    )
  }
}
