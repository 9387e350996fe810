/** A check of the doctor, and the facts that checks share. */
import type { Deadline } from '../deadline.js'

export type KnownSchema = {
  migrations: string[]
  /** The findings of check "schema": the first call reads all objects of the database, which takes as long as many checks. */
  differing: () => Promise<FindingRow[]>
  /** Connections that one process of the service opens, its web app included. */
  connections: { withApp: number; asService: number }
  /** The role that owns table migration. */
  owner: string
  /** True if this session has the rights of that role. */
  isOwner: boolean
  /** The part of each table that a slow check reads. */
  percent: { frame: number; feature: number; total: number }
  /** Each run draws another sample, so that nothing hides from all of them. */
  seed: number
  /** A sample of totals has one state and one area of at most so many frames. */
  largestUnit: number
  /** A check of every frame takes seconds. */
  isLarge: boolean
  indexes: string[]
}

/** Bounds what the doctor takes from a service that answers calls. */
export type CheckBounds = {
  /** PostgreSQL ends a check that takes longer. The embedded database ends none. */
  checkMs: number
  until: Deadline
  /** Gets the error that ended the connection of a check, for the log. */
  onFault: (check: string, error: Error) => void
}

export type FindingRow = { severity: 'wrong' | 'advice' | 'unchecked'; what: string; fix: string }

export type Check = {
  /** The file of sql/doctor/, unless the check has another text. */
  name: string
  looksAt: string
  text?: string
  /**
   * "server": the check does not concern the embedded database. "quiet": it is left out during a build or an import.
   */
  only?: 'server' | 'quiet'
  /** The check reads this part of a large table, unless the doctor is told to be thorough: its first argument. */
  samples?: keyof KnownSchema['percent']
  /** The check reads every frame, also of a large table. */
  readsAll?: true
  /** The check reads the search path of the session as it is. */
  readsPath?: true
  args?: (known: KnownSchema) => unknown[]
  /** Makes a row of a statement that answers in another form. */
  toRow?: (row: { orgId: string; fault: string; fix: string }) => FindingRow
}
