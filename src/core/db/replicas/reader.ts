/** A reader is the one place that a call reads from: a replica and, from the replica's first fault on, the primary. */
import type { Deadline } from '../../deadline.js'
import { isLost, withDeadline } from '../connect.js'
import type { Database } from '../database.js'

export type Reader = Pick<Database, 'rows' | 'release'> & {
  /** Where the next statement goes. Rows of two sources may be of two different moments. */
  source?: () => unknown
}

export const primaryReader = (primary: Database, deadline: Deadline | undefined): Reader => ({
  ...withDeadline(primary, deadline),
  release: primary.release,
})

type ReplicaInUse = { db: Database; isInUse: () => boolean; leave: (reason: string) => void }

export function replicaReader(replica: ReplicaInUse, primary: Database, deadline: Deadline | undefined): Reader {
  let source = replica.db
  return {
    source: () => source,
    rows: async (text, args, as) => {
      const asked = source
      try {
        return await asked.rows(text, args, as, deadline)
      } catch (error) {
        if (asked === primary) throw error
        if (isLost(error)) replica.leave('a connection to it was lost')
        // A slow answer of a healthy replica is no reason to put its load on the primary.
        if (replica.isInUse() && !isConflict(error)) throw error
        source = primary
        return await primary.rows(text, args, as, deadline)
      }
    },
    release: (bytes) => {
      replica.db.release(bytes)
      primary.release(bytes)
    },
  }
}

/** PostgreSQL ended the statement of the replica, because it stood in the way of replaying the log. */
const isConflict = (error: unknown) => ['40001', '40P01'].includes((error as { code?: string }).code ?? '')
