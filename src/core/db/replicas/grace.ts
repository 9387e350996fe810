/**
 * Keys, licences and the pages of the web app are read from the primary. While the primary is away, a replica stands in,
 * for the grace at the longest.
 */
import { isLost } from '../connect.js'
import type { Database } from '../database.js'

type StandIn = {
  isPrimaryAway: () => boolean
  /** Calls back when the primary goes away. Returns a function that takes the callback back. */
  onceAway: (callback: () => void) => () => void
  /** A replica that is in use and within the grace. */
  standIn: () => Pick<Database, 'rows'> | undefined
  onStandIn: () => void
}

export function graceReader(
  primary: Database,
  { isPrimaryAway, onceAway, standIn, onStandIn }: StandIn,
): Pick<Database, 'rows'> {
  /** A read that waits for a primary that hangs goes to the replica, and does not wait until its deadline. */
  const unlessAway = <Rows>(rows: Promise<Rows>): Promise<Rows> =>
    new Promise((done, failed) => {
      const forget = onceAway(() => {
        if (standIn()) failed(new PrimaryAway('The primary went away during this read.'))
      })
      rows.then(done, failed).finally(forget)
    })
  return {
    rows: async (text, args, as, deadline) => {
      const replica = isPrimaryAway() ? standIn() : undefined
      if (replica) {
        onStandIn()
        return await replica.rows(text, args, as, deadline)
      }
      try {
        return await unlessAway(primary.rows(text, args, as, deadline))
      } catch (error) {
        const other = isLost(error) || error instanceof PrimaryAway ? standIn() : undefined
        if (!other) throw error
        onStandIn()
        return await other.rows(text, args, as, deadline)
      }
    },
  }
}

class PrimaryAway extends Error {}
