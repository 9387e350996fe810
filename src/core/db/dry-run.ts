/** A database for dry runs: each read runs in a read-only transaction, and no write runs. */
import { queryRunner } from './builder.js'
import type { Database } from './database.js'
import { isOverLimit, readOnly, TableLocked, type ReadLimits } from './read-only.js'

/** A read; or, with its place in the code, a write that did not run. */
export type RecordedStatement = { text: string; args: readonly unknown[]; place: string | undefined }

type DryRunOptions = {
  record: (statement: RecordedStatement) => void
  limits: ReadLimits | undefined
  onOverLimit: () => void
  /** Runs for a read of a table that another session locks. */
  onLocked: (error: TableLocked) => void
}

export function dryRunDatabase(
  db: Pick<Database, 'transaction' | 'release'>,
  { record, limits, onOverLimit, onLocked }: DryRunOptions,
): Database {
  const read: Database['rows'] = async (text, args, as) => {
    try {
      return await readOnly(db, limits, (run) => run(text, args, as))
    } catch (error) {
      if (isOverLimit(error)) onOverLimit()
      if (error instanceof TableLocked) onLocked(error)
      throw error
    }
  }
  const inside = (place: string) =>
    queryRunner(async (text, args) => {
      // A dry run locks no row, so that no call waits for it.
      if (/^select\b/.test(text)) return await read(text.replace(/ for no key update$/, ''), args)
      record({ text, args, place })
      return []
    })
  return {
    rows: (text, args, as) => {
      record({ text, args, place: undefined })
      return read(text, args, as)
    },
    release: db.release,
    change: (place, work) => work(inside(place)),
    write: async (place, query) => {
      const { sql, parameters } = query.compile()
      record({ text: sql, args: parameters, place })
      return []
    },
    transaction: refuseChange,
    work: refuseChange,
    alone: refuseChange,
    run: refuseChange,
    reconnect: () => {},
    load: () => ({ underWay: 0, limit: 1 }),
    close: async () => {},
  }
}

function refuseChange(): never {
  throw new Error('A dry run reads, and changes what a call may change: nothing else.')
}
