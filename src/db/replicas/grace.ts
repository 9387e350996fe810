/**
 * Keys, licences and the pages of the web app are read from the primary. While the primary is away, a replica stands in,
 * for the grace at the longest.
 */
import { isLost } from '../connect.js'
import type { Database } from '../database.js'

type StandIn = {
  isPrimaryAway: () => boolean
  /** A replica that is in use and within the grace. */
  standIn: () => Pick<Database, 'rows'> | undefined
  onStandIn: () => void
}

export function graceReader(primary: Database, { isPrimaryAway, standIn, onStandIn }: StandIn): Pick<Database, 'rows'> {
  return {
    rows: async (text, args, as, deadline) => {
      const replica = isPrimaryAway() ? standIn() : undefined
      if (replica) {
        onStandIn()
        return await replica.rows(text, args, as, deadline)
      }
      try {
        return await primary.rows(text, args, as, deadline)
      } catch (error) {
        const other = isLost(error) ? standIn() : undefined
        if (!other) throw error
        onStandIn()
        return await other.rows(text, args, as, deadline)
      }
    },
  }
}
