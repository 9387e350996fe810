/** Names the person at the command line, for the events of what a command changes. */
import { userInfo } from 'node:os'
import { actingAs } from '../../core/access/index.js'
import type { Database } from '../../core/db/index.js'

/** Returns the database with the person at the command line as the actor of its changes. */
export const atCommandLine = (db: Database): Database => actingAs(db, { name: commandLineName() })

function commandLineName(): string {
  try {
    return `command line, ${userInfo().username}`
  } catch {
    // A container may run under a user id that has no name.
    return 'command line'
  }
}
