/** Names the one who makes a change. Triggers enter the event of each change, and read the name there. */
import { builder, type Database, type RunQuery } from '../db/index.js'

export type Actor = {
  name: string
  /** Absent for the command line. */
  personId?: string | undefined
  address?: string | undefined
}

/** The settings end with the transaction. */
export async function nameActor(run: RunQuery, { name, personId = '', address = '' }: Actor): Promise<void> {
  await run(
    builder.selectNoFrom((make) => {
      const set = (setting: string, value: string) =>
        make.fn('set_config', [make.val(setting), make.val(value), make.val(true)])
      return [
        set('frames.actor', name).as('actor'),
        set('frames.actor_person', personId).as('person'),
        set('frames.from', address).as('address'),
      ]
    }),
  )
}

export const actingAs = <Db extends Pick<Database, 'change'>>(db: Db, actor: Actor): Db => ({
  ...db,
  change: (caller, work, bounds) =>
    db.change(
      caller,
      async (run) => {
        await nameActor(run, actor)
        return await work(run)
      },
      bounds,
    ),
})
