import type { Database } from '../connect.js'

/** What one call reads from: one replica and, from its first fault on, the primary; never another replica. */
export type Reader = Pick<Database, 'rows' | 'release'> & {
  /** Told when the call goes over to the primary: what it read before may be of another moment than what it reads now. */
  moved?: () => void
}
