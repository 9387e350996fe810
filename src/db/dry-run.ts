/** A database that a call runs on without leaving a trace: reads are done, each in a read-only transaction; writes are only heard. */
import { runsBy } from './build.js'
import type { Database } from './database.js'
import { sqlText } from './statement.js'

/** A read; or, with the place in the code, what would have been written. */
export type Heard = { text: string; args: readonly unknown[]; place: string | undefined }

export function dryRunDatabase(db: Pick<Database, 'transaction' | 'release'>, hear: (heard: Heard) => void): Database {
  const read: Database['rows'] = (text, args, as) =>
    db.transaction(async (run) => {
      await run(sqlText('session/read_only'), [])
      return await run(text, args, as)
    })
  const inside = (place: string) =>
    runsBy(async (text, args) => {
      // No row is locked: who looks on keeps nobody waiting.
      if (/^select\b/.test(text)) return await read(text.replace(/ for no key update$/, ''), args)
      hear({ text, args, place })
      return []
    })
  return {
    rows: (text, args, as) => {
      hear({ text, args, place: undefined })
      return read(text, args, as)
    },
    release: db.release,
    change: (place, work) => work(inside(place)),
    transaction: refuse,
    work: refuse,
    alone: refuse,
    run: refuse,
    reconnect: () => {},
    load: () => ({ underWay: 0, limit: 1 }),
    close: async () => {},
  }
}

function refuse(): never {
  throw new Error('A call that is rehearsed reads, or changes what it may.')
}
