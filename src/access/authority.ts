/** What the holder of a secret may do, read from the database for every request. */
import { until, type Database } from '../db/connect.js'
import { keyAuthority, type AuthorityRow } from '../db/statements.js'
import type { Deadline } from '../deadline.js'
import { batch } from '../batch.js'

export type Authority = Omit<AuthorityRow, 'place'>

/** `keyHash` is the SHA-256 of the secret, in hexadecimal. Undefined for a key that is unknown, expired or revoked. */
export type FindAuthority = (keyHash: string, deadline?: Deadline) => Promise<Authority | undefined>

/** Requests that wait together share a query. None is answered by a query that was sent before it came. */
export const authorityFinder = (db: Pick<Database, 'rows'>): FindAuthority =>
  batch(async (hashes: string[], deadline) => {
    const found: (Authority | undefined)[] = hashes.map(() => undefined)
    for (const { place, ...authority } of await keyAuthority(until(db, deadline), hashes)) found[place - 1] = authority
    return found
  })
